import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Container, ContainerCreateOptions, ContainerInspectInfo } from 'dockerode'
import { type Engine, reasonOf, statusOf, unless } from './engine.ts'

/** How a container ended. `lost`: its code is unknown, because it or the engine went away. */
export type ContainerEnd =
  | { kind: 'exited'; code: number; out_of_memory: boolean }
  | { kind: 'lost'; why: string }

/** A started container. Its output must be read or destroyed. */
export interface Started {
  container: Container
  /** The output, as its terminal shows it. */
  output: Readable
  /** Settles after the output has ended or was destroyed. Never rejects. */
  ended: Promise<ContainerEnd>
}

export interface Archive {
  /** A folder of the container. */
  folder: string
  /** A tar archive, whose numeric owners and modes are kept. */
  bytes: Readable | Buffer
}

/**
 * Creates and starts a container that contains the archives. No output is lost, because it is
 * requested from the engine before the start. Rejects as the engine does, and then leaves no
 * container behind.
 */
export async function startContainer(
  engine: Engine,
  options: ContainerCreateOptions,
  archives: readonly Archive[],
  signal: AbortSignal,
): Promise<Started> {
  const container = await engine.createContainer(options)
  let output: Readable | undefined
  try {
    for (const { folder, bytes } of archives) {
      signal.throwIfAborted()
      await putArchive(container, folder, bytes)
    }
    output = await attach(container)
    // Requested before the start: later, the engine would not respond for a container that has
    // already ended.
    const waiting = container.wait({ condition: 'next-exit' })
    waiting.catch(() => {})
    signal.throwIfAborted()
    await container.start()
    return { container, output, ended: endOf(container, output, waiting) }
  } catch (error) {
    output?.destroy()
    // If that fails, `reap` finds it by its labels; the first error names the cause.
    await removeContainer(container).catch(() => {})
    throw error
  }
}

/** Also rejects if the archive cannot be read: otherwise the engine would wait forever. */
async function putArchive(
  container: Container,
  folder: string,
  bytes: Archive['bytes'],
): Promise<void> {
  const put = container.putArchive(bytes, { path: folder })
  if (Buffer.isBuffer(bytes)) return void (await put)
  const unreadable = once(bytes, 'error').then(([error]) => Promise.reject(error as Error))
  await Promise.race([put, unreadable])
}

/** Options as a query: in a body, some engines would write them into the terminal of the job. */
async function attach(container: Container): Promise<Readable> {
  const asked = { _query: { stream: true, stdout: true, stderr: true }, _body: {} }
  return (await container.attach(asked as object)) as unknown as Readable
}

const lookEvery = 30_000

/**
 * The engine's response counts only if it arrives after the output has ended: a dead engine never
 * sends one.
 */
async function endOf(
  container: Container,
  output: Readable,
  waiting: Promise<unknown>,
): Promise<ContainerEnd> {
  const looking = new AbortController()
  void watch(container, output, looking.signal)
  const read = Promise.race([once(output, 'end'), once(output, 'close')]).catch(() => {})
  try {
    await read
    await Promise.race([waiting, unanswered(container, looking.signal)])
    const { State: state } = await container.inspect()
    if (state.Running || state.FinishedAt.startsWith('0001')) {
      return { kind: 'lost', why: 'the engine lost the output of its container' }
    }
    return { kind: 'exited', code: state.ExitCode, out_of_memory: await ranOut(container, state) }
  } catch (error) {
    const gone = statusOf(error) === 404 ? 'its container was removed' : reasonOf(error)
    return { kind: 'lost', why: `the engine of its machine failed: ${gone}` }
  } finally {
    looking.abort()
  }
}

/** An engine may record only later that memory was short. */
async function ranOut(
  container: Container,
  state: ContainerInspectInfo['State'],
): Promise<boolean> {
  if (state.OOMKilled || state.ExitCode !== 137) return state.OOMKilled
  await pause(100)
  return (await container.inspect()).State.OOMKilled
}

const mostLooks = 30

/**
 * Rejects when the engine no longer responds, or does not report the end of a container whose
 * output has ended: a new engine behind the same socket does not know the calls to the old one.
 */
async function unanswered(container: Container, signal: AbortSignal): Promise<void> {
  for (let looks = 0; !signal.aborted; looks += 1) {
    await container.inspect()
    if (looks === mostLooks) throw new Error('it did not tell the end of a container')
    await pause(1000, undefined, { signal, ref: false }).catch(() => {})
  }
}

/**
 * Ends the output of a container that has ended without closing it, as over a connection that was
 * cut.
 */
async function watch(container: Container, output: Readable, signal: AbortSignal): Promise<void> {
  let misses = 0
  while (!signal.aborted) {
    await pause(lookEvery, undefined, { signal, ref: false }).catch(() => {})
    if (signal.aborted) return
    const runs = await container.inspect().then(
      ({ State }) => State.Running,
      () => false,
    )
    misses = runs ? 0 : misses + 1
    if (misses > 1 && !output.isPaused()) output.destroy()
  }
}

const patience = 20_000

/**
 * Kills a container and waits until none of its processes runs. Its output must be destroyed
 * before.
 */
export async function killContainer(container: Container): Promise<void> {
  for (const until = Date.now() + patience; ;) {
    const late = Date.now() > until
    await unless([404, 409], container.kill()).catch((error: unknown) => {
      if (late) throw error
    })
    const state = await container.inspect().then(
      ({ State }) => State,
      (error: unknown) => (statusOf(error) === 404 ? undefined : Promise.reject(error as Error)),
    )
    if (!state?.Running) return
    if (late) throw new Error(`container ${container.id} cannot be killed`)
    await pause(50)
  }
}

/** Removes a container with its anonymous volumes, in whatever state it is. */
export async function removeContainer(container: Container): Promise<void> {
  // 409: another call removes it at this moment.
  await unless([404, 409], container.remove({ force: true, v: true }))
}

/** Sends TERM to every process of a container, while a signal by the engine would reach its shell alone. */
export async function signalAll(container: Container): Promise<void> {
  const Cmd = ['bash', '--noprofile', '--norc', '-c', 'kill -TERM -1']
  try {
    const sent = await container.exec({ Cmd, User: '0:0' })
    await sent.start({ Detach: true })
  } catch {
    // The container has ended, or its engine is gone.
  }
}
