import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Container } from 'dockerode'
import type { Environment } from '../../../config/config.ts'
import { isMap } from '../../../domain/config/config-value.ts'
import type { Pull } from '../../../script/images/image-map.ts'
import { isImage } from '../../../script/images/image-reference.ts'
import { unlessAborted } from '../../start-machine.ts'
import { systemPath } from '../environment.ts'
import { removeContainer } from './container.ts'
import { credentialsFor } from './credentials.ts'
import { type Engine, reasonOf, statusOf, textOf } from './engine.ts'
import type { PulledImages } from './pulled-images.ts'
import { versionsLike } from './registry.ts'

/** Why an image is not available. `blame` as in a StartError. */
export class ImageError extends Error {
  readonly blame: 'user' | 'machine'
  /** Whether the registry has no such image. */
  readonly missing: boolean

  constructor(blame: 'user' | 'machine', message: string, { missing = false } = {}) {
    super(message)
    this.blame = blame
    this.missing = missing
  }
}

export interface Images {
  /**
   * Makes sure that the engine has the image; jobs that need the same image share a pull. Calls
   * back with lines about its progress. Resolves to the image's id. Rejects with an ImageError, or
   * with the signal's reason; other jobs keep waiting for the pull then.
   */
  have(image: string, pull: Pull, options: HaveOptions): Promise<string>
  /** Whether a program exists in the folders on the image's PATH. */
  hasProgram(id: string, program: string, labels: Record<string, string>): Promise<boolean>
}

interface HaveOptions {
  signal: AbortSignal
  say?: ((line: string) => void) | undefined
}

interface Running {
  done: Promise<void>
  listeners: Set<(line: string) => void>
}

export function createImages(
  engine: Engine,
  env: Environment,
  pulled?: Pick<PulledImages, 'pulled' | 'used'>,
): Images {
  const pulls = new Map<string, Running>()
  const programs = new Map<string, boolean>()

  async function idOf(image: string): Promise<string | undefined> {
    try {
      return (await engine.getImage(image).inspect()).Id
    } catch (error) {
      if (statusOf(error) === 404) return undefined
      throw new ImageError('machine', `the engine did not respond: ${reasonOf(error)}`)
    }
  }

  function pulling(image: string, before: string | undefined): Running {
    const known = pulls.get(image)
    if (known) return known
    const listeners = new Set<(line: string) => void>()
    const say = (line: string) => listeners.forEach((listener) => listener(line))
    const done = pullImage(engine, image, { env, say })
      .then(() => record(image, before))
      .finally(() => pulls.delete(image))
    const begun = { done, listeners }
    pulls.set(image, begun)
    return begun
  }

  /** The image is ours if the pull has created it. */
  async function record(image: string, before: string | undefined): Promise<void> {
    const id = await idOf(image)
    if (id !== undefined) await (id === before ? pulled?.used(id) : pulled?.pulled(image, id))
  }

  return {
    async have(image, pull, { signal, say }) {
      if (!isImage(image)) throw new ImageError('user', `${image} is not the name of an image`)
      const present = await idOf(image)
      if (present !== undefined && pull !== 'always') {
        await pulled?.used(present)
        return present
      }
      if (pull === 'never') {
        throw new ImageError(
          'user',
          `the image ${image} is not on the machine, and IMAGES forbids to pull it`,
        )
      }
      signal.throwIfAborted()
      const { done, listeners } = pulling(image, present)
      if (say) listeners.add(say)
      say?.('pulling')
      try {
        await unlessAborted(done, signal)
      } catch (error) {
        if (!isUnreachable(error) || present === undefined) throw error
        say?.('The registry does not respond, so the image that is already here is used.')
        await pulled?.used(present)
        return present
      } finally {
        if (say) listeners.delete(say)
      }
      const id = await idOf(image)
      if (id === undefined)
        throw new ImageError('machine', `the image ${image} is gone after its pull`)
      return id
    },

    async hasProgram(id, program, labels) {
      const key = `${id} ${program}`
      const found = programs.get(key) ?? (await findProgram(engine, { id, program, labels }))
      programs.set(key, found)
      return found
    },
  }
}

/** Looks into a container that is never started: there is no other way to read an image. */
async function findProgram(
  engine: Engine,
  { id, program, labels }: { id: string; program: string; labels: Record<string, string> },
): Promise<boolean> {
  const { Config: config } = await engine.getImage(id).inspect()
  const path = config.Env?.find((each) => each.startsWith('PATH='))?.slice('PATH='.length)
  const container = await engine.createContainer({ Image: id, Cmd: [program], Labels: labels })
  try {
    for (const folder of (path ?? systemPath).split(':')) {
      if (await hasFile(container, `${folder}/${program}`)) return true
    }
    return false
  } finally {
    await removeContainer(container)
  }
}

async function hasFile(container: Container, path: string): Promise<boolean> {
  try {
    // A response that is not read would keep its connection open, and with it the process.
    const answer: Readable = await container.infoArchive({ path })
    answer.destroy()
    return true
  } catch (error) {
    if (statusOf(error) === 404) return false
    throw error
  }
}

const isUnreachable = (error: unknown) => error instanceof ImageError && error.blame === 'machine'

const tries = 3
const betweenTries = 2000

/** Repeats a pull that failed because of the network; a refusal by the registry is final. */
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
      if (failure.missing) {
        throw new ImageError('user', `${failure.message}${await versionsLike(image, env)}`)
      }
      if (failure.blame === 'user' || isLimit(failure) || attempt === tries) throw failure
      say(`The pull failed and is tried again: ${failure.message}`)
      await pause(betweenTries)
    }
  }
}

const isLimit = ({ message }: Error) => message.includes('pull limit')

const sayEvery = 5000
/** A pull is given up after this time without a new byte. */
const longestSilence = 60_000
const nothingArrived = 'nothing arrived for a minute'

/** Reads a pull to its end. Errors arrive as lines in a stream that began successfully. */
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

/** The engine's error about an image for another kind of machine, or about a missing image. */
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
    return new ImageError('user', `there is no image ${image} (${reason})`, { missing: true })
  }
  return new ImageError('machine', `the image ${image} could not be pulled: ${reason}`)
}
