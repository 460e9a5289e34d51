import { undefinedIfMissing } from '../../../src/codehost/app/client.ts'
import {
  type Codehost,
  CodehostError,
  type CodehostFailure,
  type PullState,
} from '../../../src/codehost/codehost.ts'
import type { MemoryCodehost } from '../../support/memory-codehost.ts'

/** The faults of calls, and how the service sees them. */
export const faults = {
  '500': { kind: 'away' },
  '502': { kind: 'away' },
  '401': { kind: 'refused' },
  '403': { kind: 'refused' },
  '404': { kind: 'missing' },
  '409': { kind: 'invalid', ofRead: 'missing' },
  '422': { kind: 'invalid', ofRead: 'missing' },
  'primary limit': { kind: 'limited', retryAfter: 3600 },
  'secondary limit': { kind: 'limited', retryAfter: 60 },
  // The call has been carried out.
  'cut off': { kind: 'away', isDone: true },
} as const satisfies Record<string, Described>
export type Fault = keyof typeof faults

interface Described {
  kind: CodehostFailure
  /** The meaning of the same response for a read. */
  ofRead?: CodehostFailure
  retryAfter?: number
  isDone?: true
}

/** A refusal of reports is not permanent: it ends after this many calls. */
const mostInvalid = 2

type Call = (...given: never[]) => Promise<unknown>

/**
 * A code host whose calls fail, all or some of them, and whose responses come from an outdated
 * copy.
 */
export function faulty(
  host: MemoryCodehost,
  pick: () => number,
  remembered: (number: number) => PullState | undefined,
) {
  const doubted = new Map<string, number>()
  const misled = new Set<string>()
  let fault: Fault | undefined
  let isFault404 = false
  let isPartial = false
  let invalid = 0
  let lagging = 0
  let isReceiving = false
  const { pull } = host
  host.pull = async (repository, number) => {
    const state = await pull(repository, number)
    if (lagging-- <= 0) return state
    if (isReceiving) misled.add(`pull ${number}`)
    return remembered(number) ?? state
  }
  for (const name of ['file', 'tree', 'commit', 'tip', 'isBehind', 'pull', 'statuses'] as const) {
    wrap(name, true)
  }
  for (const name of ['postStatus', 'putCheckRun'] as const) wrap(name, false)
  // A missing record is undefined for its readers, as in `codehost/app`.
  for (const name of ['file', 'tree', 'commit', 'tip', 'pull'] as const) {
    const call = host[name] as Call
    Object.assign(host, { [name]: (...given: never[]) => call(...given).catch(undefinedIfMissing) })
  }

  function wrap(name: keyof Codehost & keyof MemoryCodehost, isRead: boolean): void {
    const call = host[name] as Call
    Object.assign(host, {
      [name]: async (...given: never[]) => {
        const struck = fault
        if (struck === undefined || (isPartial && pick() % 2)) {
          const answer = await call(...given)
          if (name === 'postStatus') doubted.delete(placeOf(given))
          return answer
        }
        const { kind, ofRead, retryAfter, isDone }: Described = faults[struck]
        if (isDone) await call(...given)
        const failure = (isRead && ofRead) || kind
        if (failure === 'missing') isFault404 = true
        const [, about] = given as readonly unknown[]
        if (isReceiving && failure !== 'away' && failure !== 'limited') {
          misled.add(`${name} ${String(about)}`)
        }
        if (failure === 'invalid') doubt(name, given)
        throw new CodehostError(`it responded with ${struck}`, {
          kind: failure,
          ...(retryAfter && { retryAfter }),
        })
      },
    })
  }

  function doubt(name: string, given: readonly unknown[]): void {
    if (name === 'postStatus') {
      const place = placeOf(given)
      doubted.set(place, (doubted.get(place) ?? 0) + 1)
    }
    if ((invalid += 1) >= mostInvalid) answer()
  }

  const placeOf = ([, sha, status]: readonly unknown[]) =>
    `${String(sha)} ${(status as { context: string }).context.split('/').at(-1)}`

  function answer(): void {
    fault = undefined
    invalid = 0
  }

  return {
    answer,
    fail(given: Fault): void {
      answer()
      fault = given
      isPartial = pick() % 2 === 0
    },
    /** All reads in the meantime belong to an event. */
    async whileReceiving<T>(receive: () => Promise<T>): Promise<T> {
      isReceiving = true
      return receive().finally(() => void (isReceiving = false))
    },
    /**
     * Whether the subject of an event was denied, or shown unchanged: then the event itself is
     * believed.
     */
    isMisled: (about: string | number) => misled.has(`tip ${about}`) || misled.has(`pull ${about}`),
    lagFor: (reads: number) => void (lagging = reads),
    /** How often in a row a status in this context was rejected as invalid. */
    doubts: (place: string) => doubted.get(place) ?? 0,
    /** Whether the code host has denied that an existing record exists. */
    hasDenied: () => isFault404,
  }
}
