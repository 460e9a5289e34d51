import { createFoundVersion } from './found-version.ts'
import { cutToBytes, settledLength } from './log-cut.ts'
import { createLogQueue, type Sink } from './log-queue.ts'
import type { Masker } from './masking/masker.ts'
import { createRedReason } from './red-reason.ts'
import type { Timers } from './timers.ts'

const firstFlush = 20
const laterFlush = 250
const flushAt = 64 * 1024

export interface LogWriter {
  /**
   * Takes output, and resolves when there is room for more: while too many parts are unsaved, the job
   * must wait. False once the log's limit is exceeded; later output is discarded.
   */
  write(bytes: Uint8Array): Promise<boolean>
  /** Discards all further output, and the output that the masker still holds back. */
  cut(): void
  /**
   * Writes the remaining output, the closing text (exempt from the limit) and the final part. False when
   * the log was given up before everything was saved.
   */
  close(text?: string): Promise<boolean>
  /** Writes the remaining output of a job that must run again, without a final part. */
  save(): Promise<void>
  /** The language version that the job reports, if it differs from the requested version. */
  foundVersion(): string | undefined
  /** Why the job ends, from the last red line of its log. */
  reason(): string | undefined
  /** Stops trying to save: the job is no longer this runner's, or its log cannot be saved. */
  giveUp(): void
}

export interface LogOptions {
  masker: Masker
  /** Bytes of masked output after which further output is discarded. */
  limit: number
  /** Saves parts. Calls never overlap; a call that rejects is repeated. */
  sink: Sink
  timers: Timers
  /** Whether somebody reads the log right now: output is then saved almost at once. */
  isWatched?: (() => boolean) | undefined
}

/** Turns a job's output into log parts: masked, decoded, limited, numbered from 1. */
export function createLogWriter({
  masker,
  limit,
  sink,
  timers,
  isWatched = () => false,
}: LogOptions): LogWriter {
  const queue = createLogQueue(sink, timers)
  const found = createFoundVersion()
  const reason = createRedReason()
  let decoder = newDecoder()
  let waiting = ''
  let left = limit
  let full = false
  let cut = false
  let flushed = false
  let stopTimer: (() => void) | undefined

  function take(text: string): void {
    reason.see(text)
    const bytes = Buffer.byteLength(text)
    full ||= bytes > left
    waiting += full ? cutToBytes(text, left) : text
    left -= bytes
  }

  function flush(): void {
    stopTimer?.()
    stopTimer = undefined
    const end = settledLength(waiting)
    queue.add(waiting.slice(0, end))
    waiting = waiting.slice(end)
    flushed = true
  }

  function takeRest(): void {
    if (!full && !cut) take(found.take(decoder.decode(masker.end())) + found.end())
    masker.drop()
    stopTimer?.()
  }

  function flushSoon(): void {
    if (waiting.length >= flushAt) return flush()
    if (waiting === '') return
    stopTimer ??= timers.after(flushed && !isWatched() ? laterFlush : firstFlush, flush)
  }

  return {
    async write(bytes) {
      if (full || cut) return !full
      take(found.take(decoder.decode(masker.push(withoutNul(bytes)), { stream: true })))
      flushSoon()
      await queue.room()
      return !full
    },

    cut() {
      cut = true
      masker.drop()
      decoder = newDecoder()
      queue.free()
    },

    async save() {
      takeRest()
      queue.add(waiting)
      await queue.saved()
    },

    async close(text = '') {
      takeRest()
      const closing = masker.push(Buffer.from(text))
      const end = Buffer.concat([closing, masker.end()]).toString()
      reason.see(end)
      waiting += end
      queue.add(waiting)
      return queue.close()
    },

    foundVersion: () => found.version(),
    reason: () => reason.last(),

    giveUp() {
      stopTimer?.()
      queue.giveUp()
    },
  }
}

function newDecoder() {
  return new TextDecoder('utf-8', { ignoreBOM: true })
}

/** NULs are removed before masking: afterwards, removing NULs inside a secret would reassemble the secret. */
function withoutNul(bytes: Uint8Array): Uint8Array {
  return bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes
}
