import type { Config } from '../values.ts'
import { type Cell, cellsOf, sizeOf } from './axes.ts'
import type { Draft, DraftSource, Root } from './draft.ts'
import { entriesOf } from './entries.ts'

/** The jobs before any is left out: first the jobs of the matrix, then the included jobs. */
export interface Drafts {
  /** The number of drafts, known before they are made. */
  count: number
  /** The only job of the matrix, if the included jobs replace it. */
  replaced: Draft | null
  drafts: Iterable<Draft>
}

/** Rules 17.2 to 17.7. */
export function draftsOf(root: Root): Drafts {
  const size = sizeOf(root.axes)
  const included = inheritStages(root.config)
  if (size + included.length === 0) return { count: 1, replaced: null, drafts: [bareDraft(root)] }
  if (size === 1 && included.length > 0 && isPlain(root)) {
    const [replaced = null] = matrixDrafts(root)
    return { count: included.length, replaced, drafts: includeDrafts(root, included) }
  }
  return { count: size + included.length, replaced: null, drafts: both(root, included) }
}

interface Included {
  index: number
  keys: readonly (readonly [string, unknown])[]
}

/** An entry without a stage takes the stage of the entry before it. */
function inheritStages(config: Config): Included[] {
  let stage: unknown
  return entriesOf(config, 'include').map(({ entry, index }) => {
    const keys = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined)
    stage = entry.stage ?? stage
    const inherits = (entry.stage ?? null) === null && stage !== undefined
    return { index, keys: inherits ? [...keys, ['stage', stage] as const] : keys }
  })
}

function isPlain({ axes }: Root): boolean {
  return axes.every(({ values }) => !Array.isArray(values[0]))
}

function* both(root: Root, included: readonly Included[]): Generator<Draft> {
  yield* matrixDrafts(root)
  yield* includeDrafts(root, included)
}

function* matrixDrafts(root: Root): Generator<Draft> {
  for (const cell of cellsOf(root.axes)) yield matrixDraft(root, cell)
}

function matrixDraft(root: Root, cell: Cell): Draft {
  const own = root.axes.map(({ key, values }, axis) => [key, values[cell[axis] ?? 0]] as const)
  return draft(root, { kind: 'matrix', cell }, new Map(own))
}

function* includeDrafts(root: Root, included: readonly Included[]): Generator<Draft> {
  for (const { index, keys } of included) {
    const own = new Map(keys)
    for (const { key, values } of root.axes) {
      if (key !== 'env' && !own.has(key)) own.set(key, values[0])
    }
    yield draft(root, { kind: 'include', index }, own)
  }
}

function bareDraft(root: Root): Draft {
  return draft(root, { kind: 'root' }, new Map())
}

const nothing: ReadonlySet<string> = new Set()

function draft({ env }: Root, source: DraftSource, own: Map<string, unknown>): Draft {
  const entries = env.of(own.get('env'))
  own.delete('env')
  return { source, own, env: entries, hidden: nothing }
}
