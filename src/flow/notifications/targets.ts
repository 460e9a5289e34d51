import type { Build } from '../../domain/build.ts'
import { isMap } from '../../domain/config/config-value.ts'
import {
  type Frequencies,
  type Frequency,
  type NotificationKind,
  notificationKinds,
} from '../../domain/notification.ts'
import { kinds } from './kinds/index.ts'
import { listed, type Section, type TargetOptions } from './kinds/kind.ts'

/** One address that a build file names, or the default addresses. */
export interface Target extends TargetOptions {
  kind: NotificationKind
  /** The value in the file: a string, or a secure value; null for the addresses of the commit. */
  address: unknown
  frequencies: Frequencies
}

/** All targets that the section names and that are not switched off, for builds of this type. */
export function targetsOf(section: Section, build: Pick<Build, 'event_type'>): Target[] {
  return notificationKinds.flatMap((kind) =>
    kinds[kind]
      .named(section, build)
      .map(({ entry, address }) => targetOf(section, kind, entry, address)),
  )
}

function targetOf(
  section: Section,
  kind: NotificationKind,
  entry: Section,
  given: unknown,
): Target {
  const isMapped = isMap(given) && 'url' in given
  return {
    kind,
    address: isMapped ? given.url : given,
    teams: isMapped && given.msteams === true,
    frequencies: { ...frequenciesIn(section), ...frequenciesIn(entry) },
    template: listed(entry.template).filter((line) => typeof line === 'string'),
  }
}

const moments = ['on_success', 'on_failure', 'on_start', 'on_cancel', 'on_error'] as const

function frequenciesIn(entry: Section): Frequencies {
  return Object.fromEntries(
    moments.flatMap((moment) => {
      const frequency = frequencyOf(entry[moment])
      return frequency === undefined ? [] : [[moment, frequency]]
    }),
  )
}

function frequencyOf(given: unknown): Frequency | undefined {
  if (given === true) return 'always'
  if (given === false) return 'never'
  return given === 'always' || given === 'never' || given === 'change' ? given : undefined
}
