import type { Judge } from './judge.ts'
import type { Skips } from './skips.ts'
import { isMap } from '../../../domain/config-value.ts'
import type { Config } from '../values.ts'

/** The section `notifications` without the entries whose condition does not hold (rule 18.4). */
export function notificationsOf({ notifications }: Config, judge: Judge, skips: Skips): Config {
  if (!isMap(notifications)) return {}

  function left(type: string, entry: unknown): boolean {
    const condition = isMap(entry) ? entry.if : undefined
    const holds = judge.holds(condition)
    if (!holds) skips.reportNotification(type, condition)
    return holds
  }

  return Object.fromEntries(
    Object.entries(notifications).map(([type, entries]) => [
      type,
      Array.isArray(entries) ? entries.filter((entry) => left(type, entry)) : entries,
    ]),
  )
}
