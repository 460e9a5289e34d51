/**
 * What a thread can do. It loads the module and takes from it what is exported by the name, so that
 * must be this very work. Input and output are copied: plain data only.
 */
export interface Work<Input, Output> {
  module: string
  name: string
  run(input: Input): Output | Promise<Output>
}

export function workOf<Input, Output>(
  module: string,
  name: string,
  run: (input: Input) => Output | Promise<Output>,
): Work<Input, Output> {
  return { module, name, run }
}
