import { readVersion } from '../../src/service/version.ts'
import type { Line } from './line.ts'

export interface Release {
  version: string
  /** By the name of the benchmark; those of a comparison within its line have their path behind it. */
  ratios: Readonly<Record<string, number>>
}

/** What another release can be compared with: absolute times belong to one machine. */
export function releaseOf(lines: readonly Line[]): Release {
  const ratios = lines.flatMap((line) => ratiosIn(line, line.bench))
  return { version: readVersion(), ratios: Object.fromEntries(ratios) }
}

/** The ratios that were not too noisy. */
function ratiosIn(comparison: object, name: string): [name: string, ratio: number][] {
  const { ratio, noisy } = comparison as Partial<Line>
  const own: [string, number][] = typeof ratio === 'number' && !noisy ? [[name, ratio]] : []
  const within = Object.entries(comparison).flatMap(([member, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && 'goal' in value
      ? ratiosIn(value, `${name}.${member}`)
      : [],
  )
  return [...own, ...within]
}
