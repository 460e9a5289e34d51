import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LogPart } from '../../src/domain/log/log.ts'
import { createLogWriter, type LogOptions } from '../../src/runner/log-writer.ts'
import { createMasker } from '../../src/runner/masking/masker.ts'
import { createClock, settled } from './clock.ts'

function openLog(options: Partial<LogOptions> & { secrets?: string[] } = {}) {
  const clock = createClock()
  const saved: LogPart[] = []
  const calls: number[] = []
  const log = createLogWriter({
    masker: createMasker(options.secrets ?? []),
    limit: 4_500_000,
    timers: clock,
    async sink(parts) {
      calls.push(clock.now())
      saved.push(...parts)
    },
    ...options,
  })
  const write = (text: string | Uint8Array) => log.write(Buffer.from(text))
  return { log, write, clock, saved, calls, text: () => saved.map((part) => part.content).join('') }
}

test('output becomes numbered parts, of which the last one is empty and final', async () => {
  const { log, write, clock, saved } = openLog()
  await write('one\n')
  await clock.pass(1000)
  await write('two\n')
  expect(await log.close('done\n')).toBe(true)
  expect(saved).toEqual([
    { number: 1, content: 'one\n', final: false },
    { number: 2, content: 'two\ndone\n', final: false },
    { number: 3, content: '', final: true },
  ])
})

test('a log without output has only its final part', async () => {
  const { log, saved } = openLog()
  await log.close()
  expect(saved).toEqual([{ number: 1, content: '', final: true }])
})

test.each(Array.from({ length: 100 }, (_, at) => at))(
  'the line that reports the version a job uses is left out of its log, cut at %i',
  async (at) => {
    const [before, after] = [
      'service_fold:end:system_info\r\u001B[0K\n',
      'runs with 20.20.2\nservice_fo',
    ]
    const printed = `${before}service_found:20.20.2\r\u001B[0K${after}`
    const { log, write, text } = openLog()
    await write(printed.slice(0, at))
    await write(printed.slice(at))
    await log.close()
    expect({ text: text(), version: log.foundVersion() }).toEqual({
      text: before + after,
      version: '20.20.2',
    })
  },
)

test('the unfinished beginning of such a version line is kept', async () => {
  const { log, write, text } = openLog()
  await write('service_fold:end:system_info\r\u001B[0K\nservice_found:1')
  await log.close()
  expect(text()).toContain('\nservice_found:1')
})

describe('saving', () => {
  test('begins after 20 ms, then waits for 250 ms', async () => {
    const { write, clock, calls } = openLog()
    for (let count = 0; count < 100; count++) {
      await write('.')
      await clock.pass(10)
    }
    expect(calls).toEqual([20, 270, 520, 770])
  })

  test('starts immediately when there is much output', async () => {
    const { write, calls, text } = openLog()
    await write('x'.repeat(70_000))
    await settled()
    expect(calls).toEqual([0])
    expect(text()).toHaveLength(70_000)
  })

  test('runs only one call at a time', async () => {
    let atWork = 0
    let most = 0
    const { log, write } = openLog({
      async sink() {
        atWork += 1
        most = Math.max(most, atWork)
        await settled()
        atWork -= 1
      },
    })
    for (let count = 0; count < 20; count++) await write('x'.repeat(70_000))
    await log.close()
    expect(most).toBe(1)
  })

  test('is retried after growing pauses, and loses or doubles nothing', async () => {
    const tries: number[] = []
    const saved: LogPart[] = []
    const { log, write, clock } = openLog({
      async sink(parts) {
        tries.push(clock.now())
        if (tries.length < 5) throw new Error('no database')
        saved.push(...parts)
      },
    })
    await write('text')
    const closing = log.close()
    await clock.pass(60_000)
    expect(await closing).toBe(true)
    expect(tries.slice(0, 5)).toEqual([0, 250, 750, 1750, 3750])
    expect(saved).toEqual([
      { number: 1, content: 'text', final: false },
      { number: 2, content: '', final: true },
    ])
  })

  test('ends when the log is given up in the middle of a call', async () => {
    const { log, write, clock } = openLog({ sink: () => new Promise(() => {}) })
    await write('text')
    await clock.pass(20)
    const closing = log.close()
    log.giveUp()
    expect(await closing).toBe(false)
    expect(clock.waiting()).toBe(0)
  })

  test('ends when the log is given up during a pause', async () => {
    const { log, write, clock } = openLog({ sink: () => Promise.reject(new Error('none')) })
    await write('text')
    const closing = log.close()
    await clock.pass(100)
    log.giveUp()
    expect(await closing).toBe(false)
    expect(clock.waiting()).toBe(0)
  })
})

/** A sink that completes one call at a time, on request. */
function slowSink() {
  const waiting: (() => void)[] = []
  const sink = () => new Promise<void>((resolve) => waiting.push(resolve))
  return { sink, saveOne: () => waiting.shift()?.() }
}

describe('writing', () => {
  test('waits while more than 64 parts are unsaved', async () => {
    const { sink, saveOne } = slowSink()
    const { write } = openLog({ sink })
    const done: number[] = []
    const writing = (async () => {
      for (let count = 0; count < 10; count++) {
        await write('x'.repeat(70_000))
        done.push(count)
      }
    })()
    await settled()
    // One write makes 16 parts. The sink is first called with one, later with 64 parts.
    expect(done).toHaveLength(4)
    saveOne()
    await settled()
    expect(done).toHaveLength(5)
    saveOne()
    await settled()
    expect(done).toHaveLength(9)
    saveOne()
    await writing
  })

  test('no longer waits once the output is cut', async () => {
    const { log, write } = openLog({ sink: () => new Promise(() => {}) })
    const writing = write('x'.repeat(400_000))
    log.cut()
    expect(await writing).toBe(true)
    expect(await write('x'.repeat(400_000))).toBe(true)
  })
})

describe('text', () => {
  test('that is not UTF-8 becomes valid text, and characters split between writes are joined', async () => {
    const { log, write, text } = openLog()
    for (const byte of Buffer.from('grüße 😀')) await write(new Uint8Array([byte]))
    await write(new Uint8Array([0xff, 0x61, 0xc3]))
    await log.close()
    expect(text()).toBe('grüße 😀\ufffda\ufffd')
  })

  test('loses its NULs, even those inside a secret', async () => {
    const { log, write, text } = openLog({ secrets: ['hunter2'] })
    await write('a\0b h\0u\0n\0t\0e\0r\0\x32\0')
    await log.close()
    expect(text()).toBe('ab [secure]')
  })

  test('is masked across writes, however long the pause between', async () => {
    const { log, write, clock, text } = openLog({ secrets: ['hunter2'] })
    await write('it is hun')
    await clock.pass(10_000)
    expect(text()).toBe('it is ')
    await write('ter2')
    await log.close()
    expect(text()).toBe('it is [secure]')
  })

  test('that looks like the beginning of a secret is shown when the log ends', async () => {
    const { log, write, text } = openLog({ secrets: ['hunter2'] })
    await write('it is hun')
    await log.close()
    expect(text()).toBe('it is hun')
  })

  test('that looks like the beginning of a secret is not shown when the output is cut', async () => {
    const { log, write, text } = openLog({ secrets: ['hunter2'] })
    await write('it is hun')
    log.cut()
    await write('more')
    await log.close(' and hunter2')
    expect(text()).toBe('it is  and [secure]')
  })

  test('keeps an escape sequence in one part', async () => {
    const { log, write, clock, saved } = openLog()
    await write('a\u001B[31')
    await clock.pass(1000)
    await write(';1mb')
    await log.close()
    expect(saved.map(({ content }) => content)).toEqual(['a', '\u001B[31;1mb', ''])
  })

  test('makes parts whose JSON has at most 4,500 bytes, for any text in any pieces', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('\u001B[31;1m', '\r\n', '"', '\\', '😀', '\u0001'),
    )
    const many = fc.tuple(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 200 }))
    await fc.assert(
      fc.asyncProperty(
        many,
        fc.array(fc.nat(9000), { maxLength: 9 }),
        async ([texts, times], cuts) => {
          const bytes = Buffer.from(texts.join('').repeat(times))
          const { log, write, saved, text } = openLog({ limit: Infinity })
          let at = 0
          for (const length of [...cuts, bytes.length]) {
            await write(bytes.subarray(at, at + length))
            at += length
          }
          await log.close()
          expect(text()).toBe(bytes.toString().replaceAll('\0', ''))
          for (const { content } of saved) {
            expect(Buffer.byteLength(JSON.stringify(content))).toBeLessThanOrEqual(4500)
          }
          expect(saved.map(({ number }) => number)).toEqual(saved.map((_, index) => index + 1))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('the limit', () => {
  test('cuts between characters, and does not apply to the closing text', async () => {
    const { log, write, text } = openLog({ limit: 6 })
    expect(await write('abcd')).toBe(true)
    expect(await write('eüx')).toBe(false)
    expect(await write('x')).toBe(false)
    await log.close(' too long')
    expect(text()).toBe('abcde too long')
  })

  test('can be reached exactly', async () => {
    const { log, write, text } = openLog({ limit: 6 })
    expect(await write('abcdef')).toBe(true)
    expect(await log.close()).toBe(true)
    expect(text()).toBe('abcdef')
  })

  test('counts the masked text, not the secrets under it', async () => {
    const { log, write, text } = openLog({ limit: 10, secrets: ['a long secret'] })
    expect(await write('a long secret!')).toBe(true)
    expect(await write('!!')).toBe(false)
    await log.close()
    expect(text()).toBe('[secure]!!')
  })
})
