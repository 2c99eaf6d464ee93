"""Compiled functions with a C interface: rules, and what else kernels call by its address.

Numba makes two functions of one: the compiled code, and a C function around it that is not allowed to take it in. A
rule is often a few instructions, and is called once or more for every action of a search, so here the C function holds
the code itself and nothing else is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import compiler
from numba.core.ccallback import CFunc
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.sigutils import normalize_signature
from numba.core.typed_passes import NativeLowering

from tactician.native.caching import SourceCache
from tactician.native.linked import passes_with


class CFunction(CFunc):
    """A C function that knows its environment also in the process that compiled it.

    Numba gives a C callback its environment, which holds the constants of Python calls, only when it loads it from a
    cache. Without one `print(number)` leaves the function while it holds the interpreter lock, and the process hangs.
    """

    _result: Any = None
    """What was compiled here; None if it came from the cache."""

    def __init__(
        self, function: Callable[..., Any], signature: Any, flavour: str, before: Callable[[], None] = lambda: None
    ) -> None:
        """`before` is called before the function is compiled, unless it comes from the cache."""
        super().__init__(function, normalize_signature(signature), {}, {"forceinline": True}, pipeline_class=_Compiler)
        self._cache = SourceCache(function, f"{flavour} as C", linkable=False)
        self._before = before

    def _compile_uncached(self) -> Any:
        self._before()
        self._result = super()._compile_uncached()  # type: ignore[misc]
        return self._result

    def compile(self) -> None:
        """Compile, or load from the cache."""
        super().compile()
        if self._result is not None and self._result.environment is not None:
            name = self._result.target_context.get_env_name(self._result.fndesc)
            self._result.library.codegen.set_env(name, self._result.environment)


class _Lower(Lower):  # type: ignore[misc]
    """Makes code that only its C function holds."""

    def create_cfunc_wrapper(self) -> None:
        """Part of Numba's interface."""
        self.context.create_cfunc_wrapper(_Open(self.library), self.fndesc, self.env, self.call_helper)
        # Once the C function has taken it in, nobody needs the code by its own name.
        self.library._final_module.get_function(self.fndesc.llvm_func_name).linkage = "internal"


class _Open:
    """A library for Numba's C function: the call in it may be inlined."""

    def __init__(self, library: Any) -> None:
        self._library = library

    def add_ir_module(self, module: Any) -> None:
        """Part of Numba's interface."""
        for function in module.functions:
            for block in function.blocks:
                for step in block.instructions:
                    if isinstance(step, ir.CallInstr):
                        step.attributes.discard("noinline")
        self._library.add_ir_module(module)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(NativeLowering):  # type: ignore[misc]
    """Numba's last pass with the code above."""

    _name = "c_function_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        """Part of Numba's interface."""
        return _Lower


class _Compiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's usual passes, except for the last one."""

    def define_pipelines(self) -> list[Any]:
        """Part of Numba's interface."""
        return passes_with(self.state, _Lowering)
