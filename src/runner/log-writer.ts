import { createFoundVersion } from './found-version.ts'
import { cutToBytes, settledLength } from './log-cut.ts'
import { createLogQueue, type Sink } from './log-queue.ts'
import type { Masker } from './masker.ts'
import type { Timers } from './timers.ts'

const firstFlush = 20
const laterFlush = 250
const flushAt = 64 * 1024

export interface LogWriter {
  /**
   * Takes output, and resolves when there is room for more: as long as too many parts are unsaved,
   * the job has to wait. False when the log's limit was crossed; nothing more is taken then.
   */
  write(bytes: Uint8Array): Promise<boolean>
  /** From now on output is thrown away, and with it what the masker still holds back. */
  cut(): void
  /**
   * Writes what is left, the closing text (which the limit does not touch) and the final part.
   * False when the log was given up before all of it was saved.
   */
  close(text?: string): Promise<boolean>
  /** The version of its language that the job says it runs with, if it is not the one asked for. */
  foundVersion(): string | undefined
  /** Stops trying to save: the job is no longer ours, or nobody takes its log. */
  giveUp(): void
}

export interface LogOptions {
  masker: Masker
  /** Bytes of output, as they are shown, after which no more is taken. */
  limit: number
  /** Saves parts. Called with the next ones when the last call is done; repeated when it rejects. */
  sink: Sink
  timers: Timers
}

/** Makes a job's output into log parts: masked, decoded, limited, numbered from 1. */
export function createLogWriter({ masker, limit, sink, timers }: LogOptions): LogWriter {
  const queue = createLogQueue(sink, timers)
  const found = createFoundVersion()
  let decoder = newDecoder()
  let waiting = ''
  let left = limit
  let full = false
  let cut = false
  let flushed = false
  let stopTimer: (() => void) | undefined

  function take(text: string): void {
    found.see(text)
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

  function flushSoon(): void {
    if (waiting.length >= flushAt) return flush()
    if (waiting === '') return
    stopTimer ??= timers.after(flushed ? laterFlush : firstFlush, flush)
  }

  return {
    async write(bytes) {
      if (full || cut) return !full
      take(decoder.decode(masker.push(withoutNul(bytes)), { stream: true }))
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

    async close(text = '') {
      if (!full && !cut) take(decoder.decode(masker.end()))
      masker.drop()
      const closing = masker.push(Buffer.from(text))
      waiting += Buffer.concat([closing, masker.end()]).toString()
      stopTimer?.()
      queue.add(waiting)
      return queue.close()
    },

    foundVersion: () => found.version(),

    giveUp() {
      stopTimer?.()
      queue.giveUp()
    },
  }
}

function newDecoder() {
  return new TextDecoder('utf-8', { ignoreBOM: true })
}

/** Before masking, not after it: a secret with NULs in between would be made whole again. */
function withoutNul(bytes: Uint8Array): Uint8Array {
  return bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes
}
