/** PostgreSQL accepts 65,535 parameters in a statement; no table has more than 65 columns. */
const mostRows = 1000

/** Rows in so many at a time, by default as one statement can insert, in their order. */
export function* batchesOf<R>(rows: readonly R[], most = mostRows): Generator<readonly R[]> {
  for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most)
}
