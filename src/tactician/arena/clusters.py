"""Where a cluster is and how to reach it: ``tcp://host:8786``, or ``tls://host:8786?ca=ca.pem&cert=me.pem&key=me.key``.

With TLS both sides know whom they talk to: the scheduler shows a certificate that `ca` has signed, and so does this
client, if it is given `cert` and `key`. Without these parameters Dask's own configuration applies.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from tactician.errors import InvalidParameterError, UnknownNameError

_FILES = {"ca": "tls_ca_file", "cert": "tls_client_cert", "key": "tls_client_key"}


@dataclass(frozen=True)
class ClusterAddress:
    """The address of a Dask scheduler, and the files that secure the connection."""

    address: str
    """What messages call the cluster."""
    ca: str | None = None
    """Certificates of those who may sign the scheduler's."""
    cert: str | None = None
    """The certificate of this client."""
    key: str | None = None
    """Its private key; without it the certificate's file holds both."""

    @classmethod
    def parse(cls, text: str) -> ClusterAddress:
        """Read an address with or without parameters; the files must be there."""
        address, _, query = text.partition("?")
        try:
            given = dict(parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
        except ValueError:
            raise InvalidParameterError(
                f"cluster {address!r} has parameters that can't be read; expected {address}?ca=FILE&cert=FILE&key=FILE."
            ) from None
        for name, path in given.items():
            if name not in _FILES:
                raise UnknownNameError(f"parameter of cluster {address!r}:", name, _FILES)
            if not Path(path).is_file():
                raise InvalidParameterError(f"{name} of cluster {address!r} is {path!r}; expected a file.")
        if given and not address.startswith("tls://"):
            raise InvalidParameterError(
                f"cluster {address!r} is not reached by TLS, and {', '.join(given)} is given; expected tls://HOST:PORT."
            )
        if "key" in given and "cert" not in given:
            raise InvalidParameterError(f"cluster {address!r} is given a key without a cert; expected both.")
        return cls(address, **given)

    def security(self) -> Any:
        """What a Dask client takes as `security`; None for Dask's own configuration."""
        files = {option: getattr(self, name) for name, option in _FILES.items() if getattr(self, name) is not None}
        if not files:
            return None
        from distributed.security import Security

        return Security(require_encryption=True, **files)  # type: ignore[no-untyped-call]
