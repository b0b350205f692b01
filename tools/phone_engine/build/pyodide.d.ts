// In a build, Pyodide is beside engine.mjs.

declare module "*/pyodide.mjs" {
  export * from "pyodide";
}

declare module "*/pyodide.asm.mjs" {
  type Options = NonNullable<Parameters<typeof import("pyodide").loadPyodide>[0]>;
  const create: NonNullable<Options["createPyodideModule"]>;
  export default create;
}
