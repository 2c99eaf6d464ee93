"""Functions that exist only inside their callers.

Numba turns every compiled function into machine code of its own, with wrappers to call it from Python and from C, and
optimises it before it optimises the callers again. Most functions here are called from rules and kernels only. A
`LinkedDispatcher` keeps such a function as LLVM code until a caller is compiled: the caller takes it in, and all of it
is optimised and turned into machine code once. Called from Python it is compiled as an ordinary function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import llvmlite.binding as llvm
from numba import njit, types
from numba.core import compiler
from numba.core.cgutils import normalize_ir_text
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import register_pass
from numba.core.errors import NumbaError
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

_F = TypeVar("_F", bound=Callable[..., Any])
_ENVIRONMENT = "_ZN08NumbaEnv"
"""How Numba's names of environments begin."""


def linked(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function into its callers; `options` are those of Numba's `njit`."""
    wanted = {"nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
    return LinkedDispatcher(function, {}, wanted)


def linked_raw(function: _F) -> _F:
    """The same for a function of kernels: it counts no references, so it can't allocate, and compiles faster."""
    return linked(function, _nrt=False)


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of one function and of all it calls, without machine code."""

    needs_environment = False
    """Whether it calls Python: its constants are then looked up by a symbol that only machine code has."""

    def add_ir_module(self, module: Any) -> None:
        """Part of Numba's interface."""
        text = normalize_ir_text(str(module))
        parsed = llvm.parse_assembly(text)
        parsed.name = module.name
        parsed.verify()
        self.needs_environment |= text.count(_ENVIRONMENT) > 1  # every function declares one, few use it
        self.add_llvm_module(parsed)

    def finalize(self) -> None:
        """Take in what the function calls."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalized = True

    def _optimize_functions(self, module: Any) -> None:
        """Simplify each function once, before it is copied into several callers."""
        module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


@register_pass(mutates_CFG=True, analysis_only=False)
class LinkedLowering(NativeLowering):  # type: ignore[misc]
    """Make LLVM code and register it for callers."""

    _name = "linked_lowering"

    def run_pass(self, state: Any) -> bool:
        """Part of Numba's interface."""
        state.library = LinkedLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered, library = state["cr"], state.library
        if library.needs_environment:
            JITCodeLibrary.finalize(library)
            library.codegen.set_env(state.targetctx.get_env_name(lowered.fndesc), lowered.env)
        else:
            library.finalize()
        entry = _Entry()
        state.targetctx.insert_user_function(entry, lowered.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=entry)
        return True


class _Entry:
    """What stands for a function where Numba looks up compiled ones; nothing can call it."""


class LinkedCompiler(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's usual passes, except that the last one makes no machine code."""

    def define_pipelines(self) -> list[Any]:
        """Part of Numba's interface."""
        return passes_with(self.state, LinkedLowering)


def passes_with(state: Any, lowering: type[NativeLowering]) -> list[Any]:
    """Numba's usual passes with another one in the place of the last."""
    passes = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
    passes.passes = [(lowering, text) if step is NativeLowering else (step, text) for step, text in passes.passes]
    passes.finalize()
    return [passes]


class LinkedDispatcher(CPUDispatcher):  # type: ignore[misc]
    """A function for callers that are compiled themselves; Python gets an ordinary one."""

    _own: Any = None
    """The ordinary function, made at the first call from Python."""

    def __init__(
        self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = LinkedCompiler
    ) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call it from Python: compiled, once more, with what Python needs to call it."""
        if self._own is None:
            self._own = njit(self.py_func)
        return self._own(*arguments, **named)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Part of Numba's interface: one version serves all integer constants, unless the function asks for them.

        Only of what is inlined, where the caller's constant is seen anyway; others are faster specialised.
        """
        if not self.targetoptions.get("forceinline"):
            return super().get_call_template(args, kws)
        general = [types.unliteral(a) if isinstance(a, types.IntegerLiteral) else a for a in args]
        try:
            return super().get_call_template(general, kws)
        except NumbaError:
            return super().get_call_template(args, kws)

    def add_overload(self, result: Any) -> None:
        """Part of Numba's interface: only compiled callers find it."""
        self.overloads[tuple(result.signature.args)] = result
