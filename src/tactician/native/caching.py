"""A compilation cache that never serves stale code.

Numba's own cache looks at one source file: it does not notice that a helper in another file, or a constant the code
was compiled with, has changed. Here an entry's name is a digest of everything the machine code depends on: the byte
code of the function and of all it reaches, the values of the globals and closures they freeze, the signature, the
versions and the processor. An edit anywhere gives another name; nothing is ever invalidated, only swept when it gets
old. One entry is one file, written aside and moved into place, so processes that compile the same thing at once do no
harm. How a file was loaded (imported, by its path, as the main program) makes no difference.
"""

from __future__ import annotations

import contextlib
import enum
import hashlib
import io
import os
import pickle
import sys
import sysconfig
import time
import types as python_types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import njit
from numba.core import compiler, config, environment, errors
from numba.core.caching import CompileResultCacheImpl, _Cache  # noqa: PLC2701 (Numba has no public name for it)
from numba.core.dispatcher import Dispatcher
from numba.core.funcdesc import FunctionDescriptor
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from tactician.native import cache_files
from tactician.native.collection import pause_while_compiling
from tactician.native.linked import linked
from tactician.native.variants import names_used

pause_while_compiling()
_F = TypeVar("_F", bound=Callable[..., Any])
_KEEP_DAYS = 60
_LIBRARY = Path(sysconfig.get_path("stdlib")).resolve()
_listeners: list[Callable[[str], None]] = []
_finished: list[Callable[[], None]] = []
_compiles = True
"""Whether what is not in the cache is compiled."""
_entry_of_symbol: dict[str, Path] = {}
"""Which entry the machine code of a name came from, of all that this process has."""


def kernel(function: _F) -> _F:
    """Compile a planner's kernel: it releases the interpreter lock, and its cache entry depends on all it reaches.

    It can't allocate: arrays come as arguments, without counting references to them. `allocating_kernel` can.
    """
    return _kernel(function, _nrt=False)


def allocating_kernel(function: _F) -> _F:
    """The same for a kernel that makes arrays of its own; it takes longer to compile and to call."""
    return _kernel(function)


def _kernel(function: _F, **options: Any) -> _F:
    dispatcher: Any = njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    dispatcher._cache = SourceCache(function)
    return dispatcher


def inlined(function: _F) -> _F:
    """Inline a kernel's helper into each of its callers; a call with a tuple of arrays would cost 40 ns."""
    return linked(function, forceinline=True, _nrt=False)


def cache_folder() -> Path:
    """Where compiled code is kept: `TACTICIAN_CACHE_DIR`, or `tactician` in the user's cache folder."""
    chosen = os.environ.get("TACTICIAN_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "~/AppData/Local")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "tactician"


@contextlib.contextmanager
def announcing(listener: Callable[[str], None], finished: Callable[[], None] | None = None) -> Iterator[None]:
    """Call `listener` with a function's name whenever something has to be compiled, `finished` when that is done."""
    _listeners.append(listener)
    if finished is not None:
        _finished.append(finished)
    try:
        yield
    finally:
        _listeners.remove(listener)
        if finished is not None:
            _finished.remove(finished)


class NotCachedError(BaseException):
    """Something would have to be compiled; not an Exception, so that nothing on the way explains it as a failure."""


@contextlib.contextmanager
def only_cached() -> Iterator[None]:
    """Load compiled code, but raise `NotCachedError` where something would have to be compiled."""
    global _compiles
    before, _compiles = _compiles, False
    try:
        yield
    finally:
        _compiles = before


class SourceCache(_Cache):  # type: ignore[misc]
    """Numba's cache interface over files named by what their content depends on."""

    def __init__(self, function: Callable[..., Any], flavour: str = "", linkable: bool = True) -> None:
        """`linkable` keeps the LLVM code beside the machine code, for callers that are compiled later."""
        self._function = function
        self._flavour = flavour
        self._linkable = linkable
        self._digest: str | None = None

    @property
    def cache_path(self) -> str:
        """The folder that holds the entries."""
        return str(cache_folder())

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """The compiled function, or None if it is not there or can't be read.

        Most machine code needs Numba's run time but none of the type registries that Numba fills before it compiles
        (and for which it imports SciPy's linear algebra, a third of a second). So an entry lists the symbols it wants,
        and the registries are loaded only if one of them is not there yet.
        """
        rtsys.initialize(target_context)
        path = self._path(signature, target_context)
        try:
            content = cache_files.read(path)
            with cache_files.loading(path):
                module, name, symbols, payload = pickle.loads(content)
                if _entry_of_symbol.setdefault(name, path) != path:
                    raise FileNotFoundError  # other code has this name here; compiled anew it gets another one
                if any(llvm.address_of_symbol(symbol) is None for symbol in symbols):
                    target_context.refresh()
                parts = _Unpickler(payload, module, self._function).load()
                result = compiler.CompileResult._rebuild(target_context, *parts)
        except FileNotFoundError:
            self._announce()
            return None
        except Exception:
            # A damaged or foreign entry is removed, and the function compiled again.
            with contextlib.suppress(OSError):
                path.unlink()
            self._announce()
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # the sweep removes by the time of last use
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write a compiled function to the cache; a cache that can't be written is not an error."""
        for finished in _finished:
            finished()
        impl = object.__new__(CompileResultCacheImpl)
        with contextlib.suppress(errors.NumbaWarning):
            if not impl.check_cachable(result):
                return
        path = self._path(signature, result.target_context)
        name = result.fndesc.mangled_name
        _entry_of_symbol[name] = path
        # Whatever stands in the way (a full disk, a global that can't be pickled), the code runs; only the next
        # process has to compile again.
        with contextlib.suppress(Exception):
            (library, kind, (machine_code, llvm_code)), *rest = impl.reduce(result)
            code = (machine_code, llvm_code if self._linkable else _names_only(result.library))
            payload = dumps(((library, kind, code), *rest))
            entry = (self._function.__module__, name, _symbols_wanted(result.library), payload)
            cache_files.write(path, dumps(entry))
            _sweep(path.parent)

    def enable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of Numba's interface; entries are never invalid, so there is nothing to do."""

    def _announce(self) -> None:
        if not _compiles:
            raise NotCachedError
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        if _listeners:
            _listeners[-1](name)  # the innermost knows best what it is for

    def _path(self, signature: Any, target_context: Any) -> Path:
        if self._digest is None:
            self._digest = source_digest(self._function)
        codegen = target_context.codegen().magic_tuple()
        parts = (
            self._digest,
            self._flavour,
            str(signature),
            str(_tuple_fields(signature)),
            str(codegen),
            str(config.OPT),
            str(config.BOUNDSCHECK),
        )
        entry = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
        versions = f"py{sys.version_info[0]}{sys.version_info[1]}-numba{numba.__version__}-{cache_files.FORMAT}"
        return cache_folder() / versions / f"{self._function.__name__}-{entry}.nbc"


class _Unpickler(pickle.Unpickler):
    """Reads what was compiled of a function whose module may have another name in this process, or none."""

    def __init__(self, content: bytes, module: str, function: Callable[..., Any]) -> None:
        super().__init__(io.BytesIO(content))
        self._then = module
        self._now: str = function.__module__
        self._globals: dict[str, Any] = function.__globals__

    def find_class(self, module: str, name: str) -> Any:
        """Part of pickle's interface."""
        if (module, name) == ("numba.core.environment", "_rebuild_env"):
            return self._environment
        return super().find_class(self._here(module), name)

    def load(self) -> Any:
        """The parts of a compile result."""
        parts = super().load()
        for part in parts:
            if isinstance(part, FunctionDescriptor):
                part.modname = self._here(part.modname)
        return parts

    def _environment(self, module: str, constants: list[Any], name: str) -> Any:
        if module != self._then or environment.lookup_environment(name) is not None:
            return environment._rebuild_env(module, constants, name)
        made = environment.Environment(self._globals)
        made.consts[:] = constants
        made.env_name = name
        environment.Environment._memo[name] = made
        return made

    def _here(self, module: str) -> str:
        return self._now if module == self._then else module


def _tuple_fields(signature: Any) -> list[tuple[str, ...]]:
    """The field names of all named tuples among a function's arguments: Numba prints only the types of their fields."""
    found: list[tuple[str, ...]] = []
    left = list(getattr(signature, "args", signature))
    while left:
        kind = left.pop()
        if isinstance(kind, numba.types.BaseTuple):
            found.append(getattr(kind, "fields", ()))
            left.extend(kind)
    return found


def _names_only(library: Any) -> bytes:
    """LLVM code that only names what the machine code of a library holds; Numba looks its symbols up there."""
    module = library._get_module_for_linking()
    functions = [f'define void @"{f.name}"() {{ ret void }}' for f in module.functions if not f.is_declaration]
    variables = [f'@"{v.name}" = global i8 0' for v in module.global_variables if not v.is_declaration]
    code: bytes = llvm.parse_assembly("\n".join([*functions, *variables])).as_bitcode()
    return code


def _symbols_wanted(library: Any) -> list[str]:
    """The functions that machine code calls but does not hold."""
    functions = library._final_module.functions
    return [f.name for f in functions if f.is_declaration and not f.name.startswith("llvm.")]


def source_digest(function: Callable[..., Any]) -> str:
    """A digest of everything a function's machine code depends on, itself and all it reaches."""
    digest = _Digest()
    digest.add(function)
    return digest.hexdigest()


class _Digest:
    """Walks from a function to the values it will freeze when compiled."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}
        self._alive: list[Any] = []
        self._word(f"llvmlite {llvmlite.__version__} numpy {np.__version__}")

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def _word(self, text: str) -> None:
        self._hash.update(text.encode())
        self._hash.update(b"\0")

    def add(self, value: Any) -> None:
        if id(value) in self._seen:
            self._word(f"again {self._seen[id(value)]}")
            return
        if isinstance(value, (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype)):
            self._plain(value)
            return
        self._seen[id(value)] = len(self._seen)
        self._alive.append(value)  # so that no id is given out twice
        if isinstance(value, Dispatcher):
            self._word(f"dispatcher {sorted(value.targetoptions.items(), key=str)}")
            self.add(value.py_func)
        elif isinstance(value, python_types.FunctionType):
            self._function(value)
        elif isinstance(value, python_types.CodeType):
            self._code(value)
        elif isinstance(value, python_types.ModuleType):
            self._word(f"module {value.__name__}")
        elif isinstance(value, np.ndarray):
            self._word(f"array {value.dtype} {value.shape}")
            self._hash.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, (tuple, list)):
            self._word(f"{type(value).__name__} {len(value)}")
            for item in value:
                self.add(item)
        elif isinstance(value, (set, frozenset, dict)):
            members = value.items() if isinstance(value, dict) else value
            self._word(f"{type(value).__name__} {sorted(map(repr, members))}")
        elif isinstance(value, type) and issubclass(value, enum.Enum):
            self._word(f"enum {value.__qualname__} {[(name, m.value) for name, m in value.__members__.items()]}")
        elif hasattr(value, "_defn"):  # a Numba intrinsic
            self._word("intrinsic")
            self.add(value._defn)
        else:
            self._other(value)

    def _plain(self, value: Any) -> None:
        if isinstance(value, np.dtype):
            text = f"{value.descr} {value.fields} {value.itemsize}"
        else:
            text = repr(value)
        self._word(f"{type(value).__name__} {text}")

    def _function(self, function: python_types.FunctionType) -> None:
        self._word(f"function {function.__qualname__}")
        self.add(function.__code__)
        for default in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.add(default)
        for cell in function.__closure__ or ():
            with contextlib.suppress(ValueError):  # a cell not filled yet
                self.add(cell.cell_contents)
        names = names_used(function.__code__)
        for name in sorted(names):
            if name not in function.__globals__:
                continue
            value = function.__globals__[name]
            self._word(name)
            self.add(value)
            self._attributes(name, value, names)

    def _attributes(self, path: str, module: Any, names: set[str], above: tuple[Any, ...] = ()) -> None:
        """What a function may look up in a module, and in the modules inside it: ``pieces.knight.reach``."""
        if not isinstance(module, python_types.ModuleType) or module in above or _is_foundation(module):
            return
        for name in sorted(names):
            if hasattr(module, name):
                value = getattr(module, name)
                self._word(f"{path}.{name}")
                self.add(value)
                self._attributes(f"{path}.{name}", value, names, (*above, module))

    def _code(self, code: python_types.CodeType) -> None:
        self._word(f"{code.co_name} {code.co_argcount} {code.co_flags} {code.co_varnames} {code.co_names}")
        self._hash.update(code.co_code)
        for constant in code.co_consts:
            self.add(constant)

    def _other(self, value: Any) -> None:
        """Classes, types and instances: their text and, unless it is a foundation's, the file they come from."""
        kind = value if isinstance(value, type) else type(value)
        module = sys.modules.get(kind.__module__)
        text = f"{kind.__module__}.{kind.__qualname__}"
        path = getattr(module, "__file__", None)
        if module is None or _is_foundation(module):
            # The repr of a Numba type is its whole content; other objects of libraries only have a name.
            text += f" {value}" if isinstance(value, numba.types.Type) else f" {getattr(value, '__name__', '')}"
        elif path is not None:
            with contextlib.suppress(OSError):
                self._hash.update(Path(path).read_bytes())
                text = kind.__qualname__  # the module's name depends on how the file was loaded
        self._word(text)


def _is_foundation(module: python_types.ModuleType) -> bool:
    """Whether a module belongs to what the versions already name: Python, NumPy, Numba."""
    top = module.__name__.partition(".")[0]
    if top in sys.stdlib_module_names:
        # A user's own statistics.py is not Python's.
        path = getattr(module, "__file__", None)
        return path is None or Path(path).resolve().is_relative_to(_LIBRARY)
    return top in {"numpy", "numba", "llvmlite"}


def _sweep(folder: Path) -> None:
    """Remove entries that were not used for weeks; called only when something new was written."""
    limit = time.time() - _KEEP_DAYS * 86400
    for entry in folder.iterdir():
        with contextlib.suppress(OSError):
            if entry.stat().st_mtime < limit:
                entry.unlink()
