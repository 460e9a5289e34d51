import { changeTree } from '../change/change.ts'
import { distinct } from '../messages/distinct.ts'
import { reportDuplicateKeys } from '../tree/duplicate-keys.ts'
import type { Message } from '../messages/message.ts'
import { newReporter } from '../messages/report.ts'
import type { MapNode } from '../tree/node.ts'
import { type NormalOptions, normalOptions } from './options.ts'
import { plainMap } from '../tree/plain-value.ts'
import { type Positions, positionsIn } from '../tree/positions.ts'
import { rootType } from '../schema/load.ts'
import { validateTree } from '../validate/validate.ts'

export interface Normalized {
  /** The normal form. */
  config: Record<string, unknown>
  /** In the order in which they came up; none is there twice. */
  messages: Message[]
  positions: Positions
}

/** Brings a build file that was read, or merged of several, into its normal form. */
export function normalize(
  root: MapNode,
  anchorNames: ReadonlySet<string>,
  options: Partial<NormalOptions> = {},
): Normalized {
  const reporter = newReporter({ ...normalOptions, ...options })
  const type = rootType()
  reportDuplicateKeys(root, reporter)
  const changed = changeTree(root, type, reporter)
  const valid = validateTree(changed, type, anchorNames, reporter)
  const entries = valid.kind === 'map' ? valid.entries : []
  return {
    config: plainMap(entries),
    messages: distinct(reporter.messages),
    positions: positionsIn(valid),
  }
}
