"""A follower's file: a safetensors file of weights whose metadata holds the model card.

The card says what the network was trained for and how: game and version, encoding with the names of its planes,
layers, method, settings, seeds, curves. It is also written beside the weights as JSON, for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tactician.contract.game import Game
from tactician.contract.planes import Encoding
from tactician.errors import InvalidParameterError, InvalidStateError, UnknownNameError
from tactician.files import json_text, parse_json, shown, write_files
from tactician.followers.network import Layer, Network, output_count, read_layers, weight_shapes
from tactician.followers.tensors import Tensors, read_tensors, tensor_bytes

FORMAT = "tactician-follower/1"
CARD = "card"
"""The metadata's key of the model card."""
SUFFIX = ".safetensors"


@dataclass(frozen=True, kw_only=True)
class ModelCard:
    """What there is to know of a trained network."""

    game: str
    """The game's name."""
    version: str
    """The version of the game's rules."""
    encoding: str
    planes: tuple[str, ...]
    """The names of the encoding's planes, in order."""
    shape: tuple[int, int]
    """Rows and columns."""
    outputs: int
    layers: tuple[Layer, ...]
    training: Mapping[str, Any] = field(default_factory=dict)
    """Method, settings, seeds, curves, time."""

    @classmethod
    def of(cls, game: Game, encoding: Encoding, layers: tuple[Layer, ...], training: Mapping[str, Any]) -> ModelCard:
        """The card of a network for a game."""
        return cls(
            game=game.name,
            version=game.version,
            encoding=encoding.name,
            planes=encoding.plane_names,
            shape=(encoding.rows, encoding.columns),
            outputs=encoding.outputs,
            layers=layers,
            training=training,
        )

    def to_json(self) -> dict[str, Any]:
        """The card as one document."""
        return {"format": FORMAT, **vars(self), "layers": [layer.to_json() for layer in self.layers]}


def read_card(document: Any, what: str) -> ModelCard:
    """A card that was written before; refuses anything else."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidParameterError(f"{what} has no model card of the format {FORMAT!r}.")
    try:
        return ModelCard(
            game=str(document["game"]),
            version=str(document["version"]),
            encoding=str(document["encoding"]),
            planes=tuple(map(str, document["planes"])),
            shape=(int(document["shape"][0]), int(document["shape"][1])),
            outputs=int(document["outputs"]),
            layers=read_layers(document["layers"], what),
            training=dict(document.get("training", {})),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise InvalidParameterError(f"{what} has a model card that can't be read ({error}).") from error


@dataclass(frozen=True)
class Model:
    """Weights and their card."""

    card: ModelCard
    tensors: Tensors
    name: str
    """What messages call it."""

    def network(self) -> Network:
        """A network that can be evaluated."""
        return Network(self.card.layers, self.tensors)

    def encoding_for(self, game: Game) -> Encoding:
        """The encoding that the network reads; refuses a game that it was not trained for."""
        card = self.card
        if (card.game, card.version) != (game.name, game.version):
            raise InvalidParameterError(
                f"{self.name} was trained for {card.game!r} version {card.version}; expected {game.name!r} version "
                f"{game.version}."
            )
        try:
            encoding = game.encoding(card.encoding)
        except UnknownNameError as error:
            raise InvalidParameterError(f"{self.name} can't read this game: {error}") from error
        if encoding.plane_names != card.planes or card.shape != (encoding.rows, encoding.columns):
            given = [*card.planes, f"{card.shape[0]} rows", f"{card.shape[1]} columns"]
            wanted = [*encoding.plane_names, f"{encoding.rows} rows", f"{encoding.columns} columns"]
            one, other = next(
                ((a, b) for a, b in zip(given, wanted, strict=False) if a != b), (f"{len(given)}", f"{len(wanted)}")
            )
            raise InvalidParameterError(
                f"{self.name} was trained on other planes of {game.name!r} than this game has: {one!r}; "
                f"expected {other!r}."
            )
        if encoding.outputs != card.outputs:
            raise InvalidParameterError(
                f"{self.name} has {card.outputs} outputs; expected {encoding.outputs} for {game.name!r}."
            )
        return encoding


def load_model(path: Path) -> Model:
    """Read a follower's file; refuses what is damaged, has weights that are not numbers, or is something else."""
    name = f"follower {shown(path)}"
    tensors, metadata = read_tensors(path, "follower")
    try:
        document = parse_json(metadata.get(CARD, "null"), f"{name}'s card")
    except InvalidStateError as error:
        raise InvalidParameterError(str(error)) from error
    card = read_card(document, name)
    for key, shape in weight_shapes(card.layers).items():
        if key not in tensors or tensors[key].shape != shape:
            found = tensors[key].shape if key in tensors else "nothing"
            raise InvalidParameterError(f"{name} has {found} for the weights {key!r}; expected {shape}.")
        if not np.isfinite(tensors[key]).all():
            raise InvalidParameterError(f"{name} has weights {key!r} that are not finite; expected numbers.")
    try:
        count = output_count(card.layers, (len(card.planes), *card.shape))
    except InvalidParameterError as error:
        raise InvalidParameterError(f"{name} has layers that don't fit together: {error}") from error
    if count != card.outputs:
        raise InvalidParameterError(f"{name} has layers with {count} outputs; expected {card.outputs}.")
    return Model(card, tensors, name)


def save_model(path: Path, card: ModelCard, tensors: Mapping[str, NDArray[Any]]) -> None:
    """Write the weights with their card, and the card beside them as JSON."""
    document = card.to_json()
    contents = {
        path: tensor_bytes(tensors, {CARD: json_text(document)}),
        path.with_suffix(".json"): (json_text(document, indent=1) + "\n").encode(),
    }
    write_files(contents)
