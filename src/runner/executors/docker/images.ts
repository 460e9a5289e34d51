import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '../../../config/config.ts'
import { isMap } from '../../../domain/config/config-value.ts'
import type { Pull } from '../../../script/images/image-map.ts'
import { unlessAborted } from '../../start-machine.ts'
import { credentialsFor } from './credentials.ts'
import { type Engine, reasonOf, statusOf, textOf } from './engine.ts'

/** Why an image cannot be had. `blame` as in a StartError. */
export class ImageError extends Error {
  readonly blame: 'user' | 'machine'

  constructor(blame: 'user' | 'machine', message: string) {
    super(message)
    this.blame = blame
  }
}

export interface Images {
  /**
   * Makes sure that the engine has the image; jobs that want the same one share a pull. Calls back with
   * lines about its progress. Resolves to the image's id. Rejects with an ImageError, or with the signal's
   * reason; the pull goes on for others then.
   */
  have(image: string, pull: Pull, options: HaveOptions): Promise<string>
}

interface HaveOptions {
  signal: AbortSignal
  say?: ((line: string) => void) | undefined
}

interface Running {
  done: Promise<void>
  listeners: Set<(line: string) => void>
}

export function createImages(engine: Engine, env: Environment): Images {
  const pulls = new Map<string, Running>()

  async function idOf(image: string): Promise<string | undefined> {
    try {
      return (await engine.getImage(image).inspect()).Id
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw new ImageError('machine', `the engine did not answer: ${reasonOf(error)}`)
    }
  }

  function pulling(image: string): Running {
    const known = pulls.get(image)
    if (known) return known
    const listeners = new Set<(line: string) => void>()
    const say = (line: string) => listeners.forEach((listener) => listener(line))
    const done = pullImage(engine, image, { env, say }).finally(() => pulls.delete(image))
    const begun = { done, listeners }
    pulls.set(image, begun)
    return begun
  }

  return {
    async have(image, pull, { signal, say }) {
      const present = pull === 'always' ? undefined : await idOf(image)
      if (present !== undefined) return present
      if (pull === 'never') {
        throw new ImageError(
          'user',
          `the image ${image} is not on the machine, and IMAGES forbids to pull it`,
        )
      }
      signal.throwIfAborted()
      const { done, listeners } = pulling(image)
      if (say) listeners.add(say)
      try {
        await unlessAborted(done, signal)
      } catch (error) {
        const old = isUnreachable(error) ? await idOf(image) : undefined
        if (old === undefined) throw error
        say?.(`The registry does not answer, so the image that is already here is used.`)
        return old
      } finally {
        if (say) listeners.delete(say)
      }
      const id = await idOf(image)
      if (id === undefined)
        throw new ImageError('machine', `the image ${image} is gone after its pull`)
      return id
    },
  }
}

const isUnreachable = (error: unknown) => error instanceof ImageError && error.blame === 'machine'

const tries = 3
const betweenTries = 2000

/** Repeats a pull that failed for a reason of the network; a refusal of the registry counts at once. */
async function pullImage(
  engine: Engine,
  image: string,
  { env, say }: { env: Environment; say: (line: string) => void },
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const authconfig = await credentialsFor(image, env)
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new Error(nothingArrived)), longestSilence)
      const options = { ...(authconfig && { authconfig }), abortSignal: late.signal }
      const stream = await engine.pull(image, options).finally(() => clearTimeout(timer))
      return await followPull(stream as Readable, say)
    } catch (error) {
      const failure = pullError(image, error)
      if (failure.blame === 'user' || isLimit(failure) || attempt === tries) throw failure
      say(`The pull failed and is tried again: ${failure.message}`)
      await pause(betweenTries)
    }
  }
}

const isLimit = ({ message }: Error) => message.includes('pull limit')

const sayEvery = 5000
/** A pull without a new byte for this long is given up. */
const longestSilence = 60_000
const nothingArrived = 'nothing arrived for a minute'

/** Reads a pull to its end. Errors are lines of a stream that began well. */
async function followPull(stream: Readable, say: (line: string) => void): Promise<void> {
  const layers = new Map<string, { current: number; total: number }>()
  let said = Date.now()
  let timer: NodeJS.Timeout | undefined
  const listen = () => {
    clearTimeout(timer)
    timer = setTimeout(() => stream.destroy(new Error(nothingArrived)), longestSilence)
  }
  listen()
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Infinity })) {
      listen()
      const event = parse(line)
      const failed = textOf(event?.['errorDetail'], 'message') ?? textOf(event, 'error')
      if (failed !== undefined) throw new Error(failed)
      note(layers, event)
      if (Date.now() - said < sayEvery) continue
      said = Date.now()
      say(progressOf(layers))
    }
    if (stream.errored) throw stream.errored
  } finally {
    clearTimeout(timer)
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const event: unknown = JSON.parse(line)
    return isMap(event) ? event : undefined
  } catch {
    return undefined
  }
}

function note(
  layers: Map<string, { current: number; total: number }>,
  event: Record<string, unknown> | undefined,
): void {
  const id = textOf(event, 'id')
  const progress = event?.['progressDetail']
  if (id === undefined || event?.['status'] !== 'Downloading' || !isMap(progress)) return
  const { current, total } = progress
  if (typeof current === 'number' && typeof total === 'number') layers.set(id, { current, total })
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)

function progressOf(layers: ReadonlyMap<string, { current: number; total: number }>): string {
  const all = [...layers.values()]
  const current = all.reduce((sum, layer) => sum + layer.current, 0)
  const total = all.reduce((sum, layer) => sum + layer.total, 0)
  return total === 0 ? 'pulling' : `${megabytes(current)} of ${megabytes(total)} MB`
}

/** Of an image that no engine of this kind can run, or that is not there. */
const missing =
  /manifest.*(?:unknown|not found)|no matching manifest|name unknown|schema 1|media ?type.*not supported|operating system.*cannot be used/i

/** Engines report refusals of the registry by text alone, or by a status and a text. */
function pullError(image: string, error: unknown): ImageError {
  const reason = reasonOf(error)
  if (/toomanyrequests|rate limit/i.test(reason)) {
    return new ImageError('machine', `the registry's pull limit is reached for ${image}: ${reason}`)
  }
  if (
    /unauthorized|authentication required|no basic auth|(?<!permission )denied|incorrect username/i.test(
      reason,
    )
  ) {
    const remedy = `run "docker login" for the account of the service, or correct the name`
    return new ImageError('user', `the registry refused the image ${image} (${reason}): ${remedy}`)
  }
  if (missing.test(reason)) {
    return new ImageError('user', `there is no image ${image} (${reason})`)
  }
  if (/invalid reference/i.test(reason)) {
    return new ImageError('user', `${image} is no name of an image`)
  }
  return new ImageError('machine', `the image ${image} could not be pulled: ${reason}`)
}
