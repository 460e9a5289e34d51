/** Splits values into batches of at most `most`, in their order. */
export function* batchesOf<T>(values: readonly T[], most: number): Generator<readonly T[]> {
  for (let from = 0; from < values.length; from += most) yield values.slice(from, from + most)
}
