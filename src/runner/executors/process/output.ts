import { PassThrough, type Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

const drainTicks = 20
const drainTick = 100

/** The output of all steps as one stream. While nobody reads it, the step that writes has to wait. */
export interface Output {
  readonly bytes: AsyncIterable<Uint8Array>
  add(step: Readable): void
  /**
   * Waits until all that an ended step has written is taken over. A process that escaped may hold a
   * pipe open for ever, so this grants two seconds, not counting those our own reader takes.
   */
  drain(step: Readable): Promise<void>
  end(): void
  /** Throws away what was not read; the reader comes to the end. */
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
      // A terminal that is taken away shows as an error; there is nothing more to read then.
      step.on('error', () => step.destroy())
      if (!dropped) step.pipe(joined, { end: false })
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
