// Loaded before each test file of the shared parts: fails a file that leaves globals changed for the next.
import pg from 'pg'
import { afterAll, vi } from 'vitest'

/** What a test can change for all others, by name. */
const shared: Readonly<Record<string, object>> = {
  globalThis,
  'process.env': process.env,
  process,
  'process.stdout': process.stdout,
  'process.stderr': process.stderr,
  'pg.Client.prototype': pg.Client.prototype,
}

/** Members that vitest itself sets while it runs a file. */
const ofVitest = /^(?:__vitest|VITEST_|_)|^(?:exitCode|title)$/

/** What Playwright wraps once and for good; the working directory itself is compared below. */
const wrapped = /^(?:chdir|cwd)$/

/** Without getters: those of Node.js become values when they are first read. */
function stateOf(target: object): Map<string, unknown> {
  const own = Object.entries(Object.getOwnPropertyDescriptors(target))
  return new Map(
    own
      .filter(
        ([name, { get }]) =>
          ![ofVitest, wrapped].some((one) => one.test(name)) && get === undefined,
      )
      .map(([name, { value }]) => [name, value as unknown]),
  )
}

const before = Object.entries(shared).map(([name, target]) => [name, stateOf(target)] as const)
const names = new Map(
  Object.entries(shared).map(([name, target]) => [
    name,
    new Set(Object.getOwnPropertyNames(target)),
  ]),
)
const folder = process.cwd()

function changes(): string[] {
  const left = before.flatMap(([name, earlier]) => {
    const target = shared[name] ?? {}
    const now = stateOf(target)
    const wasLazy = (key: string) => !earlier.has(key) && names.get(name)?.has(key)
    return [...new Set([...earlier.keys(), ...now.keys()])]
      .filter((key) => !wasLazy(key) && !Object.is(earlier.get(key), now.get(key)))
      .map((key) => `${name}.${key}`)
  })
  return [
    ...left,
    ...(vi.isFakeTimers() ? ['timers (vi.useRealTimers)'] : []),
    ...(process.cwd() === folder ? [] : ['the working directory']),
  ]
}

// Hooks that are added first run last.
afterAll(() => {
  const left = changes()
  if (left.length === 0) return
  throw new Error(`restore ${left.join(', ')}, or move this file to a part that is isolated`)
})
