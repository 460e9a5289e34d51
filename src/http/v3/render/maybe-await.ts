/**
 * Settles a mix of values and promises: an array immediately if none is a promise. Most values of a
 * document are available when it is rendered, and need no wait.
 */
export function settled<T>(values: readonly (T | Promise<T>)[]): T[] | Promise<T[]> {
  const all: T[] = []
  const waiting: Promise<unknown>[] = []
  for (const [index, value] of values.entries()) {
    if (value instanceof Promise) waiting.push(value.then((late) => (all[index] = late)))
    else all[index] = value
  }
  return waiting.length === 0 ? all : Promise.all(waiting).then(() => all)
}
