/**
 * The values of promises and of what is there already: at once if none is a promise. Most of what a
 * document shows is there when it is rendered, and is not waited for.
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
