/** PostgreSQL accepts 65,535 parameters in a statement; no table has more than 65 columns. */
const most = 1000

/** Rows in so many at a time as one statement can insert, in their order. */
export function* batchesOf<R>(rows: readonly R[]): Generator<readonly R[]> {
  for (let from = 0; from < rows.length; from += most) yield rows.slice(from, from + most)
}
