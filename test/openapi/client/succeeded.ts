/** What a call returns that succeeds. */
export function succeeded<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`)
  return data
}
