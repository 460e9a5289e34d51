import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

const drainTicks = 20
const drainTick = 100

/** The output of all steps as one stream. Without a reader, the step that writes must wait. */
export interface Output {
  readonly bytes: AsyncIterable<Uint8Array>
  add(step: Readable): void
  /** Adds a text of our own; the promise settles when more can be added. */
  write(text: string): Promise<void>
  /**
   * Waits until all output of an ended step has been read. An escaped process may hold a pipe open for
   * ever, so this waits at most two seconds, not counting the time that our own reader takes.
   */
  drain(step: Readable): Promise<void>
  end(): void
  /** Discards unread output; the reader reaches the end. */
  drop(): void
}

export function createOutput(): Output {
  const joined = new PassThrough()
  let dropped = false
  const isOver = (step: Readable) => dropped || step.readableEnded || step.destroyed

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      yield* joined
    } catch (error) {
      if (!dropped) throw error
    }
  }

  return {
    bytes: read(),

    add(step) {
      // A terminal that closes causes an error; nothing is left to read then.
      step.on('error', () => step.destroy())
      if (!dropped) step.pipe(joined, { end: false })
    },

    async write(text) {
      if (dropped || joined.write(text)) return
      await Promise.race([once(joined, 'drain'), once(joined, 'close')])
    },

    async drain(step) {
      const closed = new Promise<void>((resolve) => {
        step.once('end', resolve)
        step.once('close', resolve)
      })
      for (let ticks = 0; ticks < drainTicks && !isOver(step);) {
        await Promise.race([closed, pause(drainTick, undefined, { ref: false })])
        if (!joined.writableNeedDrain) ticks += 1
      }
      step.destroy()
    },

    end: () => joined.end(),

    drop() {
      dropped = true
      joined.destroy()
    },
  }
}
