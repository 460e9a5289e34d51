import { configOf, rootOf } from './drafts/draft.ts'
import { judgeOf } from './judge.ts'
import { skips } from './skips.ts'
import { survivorsOf } from './survivors.ts'
import type { Config } from './values.ts'

export interface Matrix {
  /** The matrix keys in use, in their order. */
  axes: string[]
  /** The jobs as a whole, as if every condition held; without stages. */
  rows: Config[]
}

/** Makes the jobs of a build file's normal form (section 17). Of more than 10,000 only these. */
export function expandMatrix(config: Config): Matrix {
  const root = rootOf(config)
  const { kept } = survivorsOf(root, judgeOf(root, undefined), skips(), Infinity)
  return { axes: root.axes.map(({ key }) => key), rows: kept.map((draft) => configOf(root, draft)) }
}
