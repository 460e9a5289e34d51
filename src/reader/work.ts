/**
 * Work that a thread can do. The thread loads the module and takes its export of this name, so that
 * export must be this very work. Input and output are copied: plain data only.
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
