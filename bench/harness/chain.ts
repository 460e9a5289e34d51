import { setTimeout as pause } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import type { Window } from './compare.ts'
import { type Connection, openConnection } from './connection.ts'
import type { Plan } from './plan.ts'
import { delivery, pushBody } from './push.ts'
import { median, percentile, rounded } from './statistics.ts'
import type { Workplace } from './workplace.ts'

/** A server that leads from a webhook to started jobs, watched event by event. */
export interface Chain {
  /** Says how many jobs every build has from now on, and how long each call to the code host takes. */
  set(how: { jobs: number; delay: number }): Promise<void>
  /** Events one after the other; the figure is the median time until the first job is started. */
  window(plan: Plan): Window
  /** All that was measured since this was asked last. */
  figures(): Figures
}

export interface Figures {
  p50_ms: number
  p97_ms: number
  answer_p50_ms: number
  /** Calls to the code host that followed one another until the start; absent where there are none. */
  calls_in_a_row?: number
  events: number
}

interface Times {
  answered: number
  started: number
  calls: number
}

/** Milliseconds in which the queue notes down what has been done. */
const breath = 15

export async function openChain(
  place: Workplace,
  file: string,
  settings: Readonly<Record<string, string>>,
): Promise<Chain> {
  const child = place.keep(await startChild(place, file, settings))
  const connection = place.keep(await openConnection(child.url))
  let times: Times[] = []
  let number = 0
  return {
    async set(how) {
      await child.asks('set', how)
    },
    window:
      ({ window, events }) =>
      async () => {
        const seen: Times[] = []
        const until = performance.now() + window
        while (seen.length < events || performance.now() < until) {
          number += 1
          seen.push(await fire(child, connection, number))
        }
        times.push(...seen)
        return median(seen.map(({ started }) => started))
      },
    figures() {
      const figures = figuresOf(times)
      times = []
      return figures
    },
  }
}

/**
 * Sends one event, and waits until everything that it caused is over. Each push goes on from the one before, as
 * they do: the code host is asked about others.
 */
async function fire(child: Child, connection: Connection, number: number): Promise<Times> {
  await child.asks('ready')
  const { bytes } = delivery(`event-${number}`, pushBody(number))
  const started = child.hears<{ at: number; calls: number }>('started')

  const sent = now()
  const status = await connection.ask(bytes)
  if (status !== 204) throw new Error(`a delivery was answered with ${status}`)
  const answered = now() - sent
  const { at, calls } = await started

  await child.asks('rest')
  await pause(breath)
  return { answered, started: at - sent, calls }
}

/** A clock that all processes of the machine share. */
function now(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

function figuresOf(times: readonly Times[]): Figures {
  const started = times.map((each) => each.started)
  const calls = Math.max(0, ...times.map((each) => each.calls))
  return {
    p50_ms: rounded(median(started), 1),
    p97_ms: rounded(percentile(started, 0.97), 1),
    answer_p50_ms: rounded(median(times.map(({ answered }) => answered)), 1),
    ...(calls > 0 ? { calls_in_a_row: calls } : {}),
    events: times.length,
  }
}
