import type { AxisPosition, JobOrigin } from '../../domain/job/job.ts'
import type { Cell } from './drafts/axes.ts'
import type { Draft, Root } from './drafts/draft.ts'
import type { LineOf } from './values.ts'

/** Returns the origin of a job. */
export function originFinder({ axes }: Root, lineOf: LineOf): (draft: Draft) => JobOrigin {
  const lines = axes.map(() => new Map<number, number | null>())

  /** Many cells share a value. */
  function lineOn(axis: number, index: number): number | null {
    const known = lines[axis]?.get(index)
    if (known !== undefined) return known
    const line = lineOf(axes[axis]?.paths(index) ?? [])
    lines[axis]?.set(index, line)
    return line
  }

  function ofCell(cell: Cell): JobOrigin {
    const cellValues = axes.map(({ key, values }, axis): AxisPosition => {
      const index = cell[axis] ?? 0
      return { key, number: index + 1, of: values.length, line: lineOn(axis, index) }
    })
    const varying = cellValues.findLast(({ of }) => of > 1)
    if (!varying) return { kind: 'default', line: null, cell: cellValues }
    return { kind: 'matrix', line: varying.line, cell: cellValues }
  }

  return ({ source }) => {
    if (source.kind === 'matrix') return ofCell(source.cell)
    if (source.kind === 'root') return { kind: 'default', line: null }
    const { index } = source
    return { kind: 'include', line: lineOf(['jobs', 'include', index]), entry: index + 1 }
  }
}
