import type { LogPart } from '../domain/log/log.ts'
import { fittingLength } from './log-cut.ts'
import type { Timers } from './timers.ts'

// The live event carries the text twice and must stay below 10 kB.
const partBytes = 4500
const mostUnsaved = 64
const firstPause = 250
const longestPause = 30_000

export type Sink = (parts: LogPart[]) => Promise<void>

/** Queue of parts for the sink, saved in order and one call at a time. */
export interface LogQueue {
  add(text: string): void
  /** Resolves when few enough parts are unsaved, or when waiting is pointless: after `free` or `giveUp`. */
  room(): Promise<void>
  /** Releases the callers that wait for room, now and later. */
  free(): void
  /** Resolves to true once all parts are saved, to false when the queue was given up. */
  saved(): Promise<boolean>
  /** Adds the final part, then waits like `saved`. */
  close(): Promise<boolean>
  giveUp(): void
}

export function createLogQueue(sink: Sink, timers: Timers): LogQueue {
  const unsaved: LogPart[] = []
  let number = 1
  let saving = false
  let unlimited = false
  let givenUp = false
  let pause = firstPause
  let stopPause: (() => void) | undefined
  let watchers: (() => void)[] = []

  function push(content: string, final: boolean): void {
    unsaved.push({ number, content, final })
    number += 1
  }

  const isWanted = () => unsaved.length > 0 && !givenUp

  async function save(): Promise<void> {
    if (saving) return
    saving = true
    while (isWanted()) {
      const batch = unsaved.slice(0, mostUnsaved)
      try {
        await sink(batch)
        unsaved.splice(0, batch.length)
        pause = firstPause
      } catch {
        // The saving code reports the error; this loop only tries again.
        await rest()
      }
      wake()
    }
    saving = false
    wake()
  }

  async function rest(): Promise<void> {
    if (givenUp) return
    await new Promise<void>((resolve) => {
      stopPause = timers.after(pause, resolve)
    })
    pause = Math.min(pause * 2, longestPause)
  }

  function wake(): void {
    const woken = watchers
    watchers = []
    for (const watcher of woken) watcher()
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => watchers.push(resolve))
  }

  async function saved(): Promise<boolean> {
    // Does not wait for the sink's last call after `giveUp`, because the call may hang.
    await until(() => givenUp || unsaved.length === 0)
    return unsaved.length === 0
  }

  return {
    saved,

    add(text) {
      for (let left = text; left !== '';) {
        const length = fittingLength(left, partBytes)
        push(left.slice(0, length), false)
        left = left.slice(length)
      }
      void save()
    },

    room: () => until(() => unlimited || givenUp || unsaved.length <= mostUnsaved),

    free() {
      unlimited = true
      wake()
    },

    async close() {
      push('', true)
      void save()
      return saved()
    },

    giveUp() {
      givenUp = true
      stopPause?.()
      wake()
    },
  }
}
