import { isMap } from '../../domain/config-value.ts'
import type { Build } from '../../domain/build.ts'
import type { Frequencies, Frequency, NotificationKind } from '../../domain/notification.ts'
import { addressesIn } from './open-address.ts'

/** One address that a build file names, or the usual ones. */
export interface Target {
  kind: NotificationKind
  /** As the file has it: a text, or a secure value; null for the addresses of the commit. */
  address: unknown
  /** Whether it is one of Microsoft Teams, which wants a form of its own. */
  teams: boolean
  frequencies: Frequencies
  /** Lines of the message, if the file has some. */
  template: readonly string[]
}

type Section = Build['notifications']

/**
 * All that the section names and that is not switched off, for builds of this type. Of pull requests no
 * mail is sent, and chats can leave them out (NT-24).
 */
export function targetsOf(section: Section, { event_type }: Pick<Build, 'event_type'>): Target[] {
  const isPull = event_type === 'pull_request'
  const webhooks = entriesOf(section.webhooks).flatMap((entry) =>
    addressesOf(entry.urls).map((address) => targetOf(section, 'webhook', entry, address)),
  )
  const slack = entriesOf(section.slack)
    .filter(({ on_pull_requests }) => !isPull || on_pull_requests !== false)
    .flatMap((entry) =>
      addressesOf(entry.rooms).map((address) => targetOf(section, 'slack', entry, address)),
    )
  const mails = (isPull ? [] : entriesOf(section.email ?? [{}])).flatMap((entry) =>
    (entry.recipients === undefined ? [null] : addressesOf(entry.recipients)).map((address) =>
      targetOf(section, 'email', entry, address),
    ),
  )
  return [...webhooks, ...slack, ...mails]
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

/** The entries of a kind that are not switched off. */
function entriesOf(given: unknown): Section[] {
  return listed(given)
    .filter(isMap)
    .filter(({ enabled, disabled }) => enabled !== false && disabled !== true)
}

function addressesOf(given: unknown): unknown[] {
  return listed(given).flatMap((address) =>
    typeof address === 'string' ? addressesIn(address) : [address],
  )
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

function listed(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}
