// The least that makes jobs of a matrix: all combinations, what is excluded left out, the included
// ones behind them, each with the shared keys, and no job twice.
type Row = Record<string, unknown>

export interface Matrix {
  shared: Row
  axes: Record<string, readonly unknown[]>
  exclude: readonly Row[]
  include: readonly Row[]
}

export function naiveJobs({ shared, axes, exclude, include }: Matrix): Row[] {
  let rows: Row[] = [{}]
  for (const [key, values] of Object.entries(axes)) {
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [key]: value })))
  }
  const kept = rows.filter(
    (row) => !exclude.some((entry) => Object.entries(entry).every(([key, v]) => row[key] === v)),
  )
  const first = Object.fromEntries(Object.entries(axes).map(([key, [value]]) => [key, value]))
  const jobs = new Map<string, Row>()
  for (const row of [...kept, ...include]) {
    const job: Row = { ...shared, ...first, ...row }
    const key = Object.entries(job).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    jobs.set(key.toSorted().join('\n'), job)
  }
  return [...jobs.values()]
}
