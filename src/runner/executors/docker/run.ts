import type { Container } from 'dockerode'
import { inColour } from '../../../domain/log/log-colours.ts'
import { mayHaveRunOutOfMemory } from '../../../texts/log-endings.ts'
import { type Exit, type JobSpec, type Running, StartError, type Step } from '../../executor.ts'
import { cloneExit } from '../clone-exit.ts'
import { createOutput } from '../output.ts'
import type { Owner } from './archive.ts'
import {
  type ContainerEnd,
  killContainer,
  removeContainer,
  signalAll,
  type Started,
  startContainer,
} from './container.ts'
import { type Engine, reasonOf, unless } from './engine.ts'
import type { Images } from './images.ts'
import { findImage } from './job-image.ts'
import {
  type ContainerLimits,
  inputRoot,
  labelsOf,
  stepContainer,
  usualPrograms,
} from './launch.ts'
import type { Clients } from './services/clients.ts'
import { type Beside, createServices, nothingBeside } from './services/services.ts'
import { copyInputs, filesOf } from './step-files.ts'

/** Where the runs of an executor take place. */
export interface Site {
  engine: Engine
  images: Images
  clients: Clients
  runner: string
  cloneImage: string
  user: Owner
  limits: ContainerLimits
  /** A folder of this machine for files to be copied into containers. */
  workDir: string
  /** Starts the container whose network the steps of a run join. */
  guard(spec: JobSpec, signal: AbortSignal): Promise<Container>
}

export interface DockerRun extends Omit<Running, 'dispose'> {
  /**
   * Removes everything that the run has created, after `kill()`. Rejects if something could not be
   * removed.
   */
  remove(): Promise<void>
}

/** Starts the first step, then the others in turn. Throws the same errors as an executor's `start`. */
export async function startRun(site: Site, spec: JobSpec, signal: AbortSignal): Promise<DockerRun> {
  const { engine, images, user } = site
  const labels = labelsOf({ runner: site.runner, job: spec.job_id, run: spec.run_id })
  const limits = limitsOf(site, spec)
  const output = createOutput()
  const killing = new AbortController()
  const made: Container[] = []
  const services = createServices()
  let ending: 'killed' | 'terminated' | undefined
  let guarding: Promise<Container> | undefined
  let current: Started | undefined
  let image: { name: string; id: string } | undefined

  const [firstStep, ...otherSteps] = spec.steps
  const begun = await beginFirst()
  const over = follow()
    .catch((error: unknown): Exit =>
      ending ? { kind: 'killed' } : { kind: 'lost', why: reasonOf(error) },
    )
    .finally(() => output.end())

  async function beginFirst(): Promise<{ first: Started; volume: string }> {
    let volume: string | undefined
    try {
      await images.have(site.cloneImage, 'missing', { signal })
      volume = (await engine.createVolume({ Labels: labels })).name
      signal.throwIfAborted()
      const first = await begin(firstStep, site.cloneImage, {
        volume,
        until: signal,
        beside: nothingBeside,
      })
      return { first, volume }
    } catch (error) {
      await clear(volume).catch(() => {})
      signal.throwIfAborted()
      if (error instanceof StartError) throw error
      throw new StartError('machine', reasonOf(error), { cause: error })
    }
  }

  /** The container whose network all steps share. */
  function guard(until: AbortSignal): Promise<Container> {
    guarding ??= site.guard(spec, until)
    guarding.catch(() => {})
    return guarding
  }

  async function networkOf(until: AbortSignal): Promise<string> {
    return spec.network ? `container:${(await guard(until)).id}` : 'none'
  }

  async function begin(
    step: Step,
    image: string,
    { volume, until, beside }: { volume: string; until: AbortSignal; beside: Beside },
  ): Promise<Started> {
    const network = await networkOf(until)
    const hasInputs = step.name === 'clone' && spec.inputs.length > 0
    const inputs = hasInputs ? await copyInputs(spec, site, until) : undefined
    try {
      const started = await startContainer(
        engine,
        stepContainer({
          image,
          labels,
          user,
          limits: without(limits, beside.memory_bytes),
          network,
          volume,
          hasKey: step.ssh_key !== undefined,
          usual: step.name === 'job' && spec.image ? usualPrograms : [],
          input: inputs && inputRoot,
          deadline_seconds: spec.deadline_seconds,
          services: beside.services,
          mounts: beside.mounts,
          variables: beside.variables,
        }),
        [
          await filesOf(step, user, step === firstStep),
          ...(inputs ? [inputs.archive] : []),
          ...beside.archives,
        ],
        until,
      )
      made.push(started.container)
      return started
    } finally {
      await inputs?.remove()
    }
  }

  async function follow(): Promise<Exit> {
    const { first, volume } = begun
    let exit = await finish(firstStep, first)
    for (const step of otherSteps) {
      if (exit.kind !== 'exited' || exit.code !== 0) return exit
      const place = { cloned: first.container, images, labels, output, signal: killing.signal }
      const found = spec.image
        ? await findImage(spec.image, place)
        : { id: site.cloneImage, name: site.cloneImage }
      if ('exit' in found) return found.exit
      if (ending) return { kind: 'killed' }
      image = found
      const beside = await besideOf(volume)
      if ('exit' in beside) return beside.exit
      exit = await finish(
        step,
        await begin(step, found.id, { volume, until: killing.signal, beside }),
      )
      if (exit.kind === 'exited' && exit.code !== 0) await services.explain(output)
    }
    return exit
  }

  async function besideOf(volume: string): Promise<Beside | { exit: Exit }> {
    if (spec.services === undefined) return nothingBeside
    const { signal } = killing
    const place = { engine, images, clients: site.clients, output, labels, limits, volume, signal }
    return services.start(spec.services, { ...place, guard: await guard(signal) })
  }

  async function finish(step: Step, started: Started): Promise<Exit> {
    current = started
    output.add(started.output)
    if (ending) await stop(started)
    const end = await started.ended
    await output.drain(started.output)
    current = undefined
    if (ending) return { kind: 'killed' }
    const exit = (await guardRuns()) ? exitOf(step, end) : exitOf(step, withoutNetwork)
    if (exit.kind === 'exited' && end.kind === 'exited' && end.out_of_memory) {
      const text = inColour('yellow', mayHaveRunOutOfMemory(limits.memory_bytes))
      await output.write(`\r\n${text}\r\n`)
    }
    return exit
  }

  /** A job whose network is gone fails through no fault of its own. */
  async function guardRuns(): Promise<boolean> {
    const guard = await guarding?.catch(() => undefined)
    if (!guard) return true
    return guard.inspect().then(
      ({ State }) => State.Running,
      () => false,
    )
  }

  /** Removes all that can be removed, then rejects with the first error, if there was one. */
  async function clear(volume: string | undefined): Promise<void> {
    const guard = await guarding?.catch(() => undefined)
    const beside = services.made()
    const containers = [...made.toReversed(), ...beside.containers, ...(guard ? [guard] : [])]
    const ends = await Promise.allSettled(containers.map(removeContainer))
    // Last, because no container can use them any longer.
    const volumes = [...beside.volumes, ...(volume === undefined ? [] : [volume])]
    const removed = await Promise.allSettled(
      volumes.map((name) => unless([404], engine.getVolume(name).remove())),
    )
    const failed = [...ends, ...removed].find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  return {
    output: output.bytes,
    image: () => image,
    wait: () => over,
    async terminate() {
      ending ??= 'terminated'
      if (current) await signalAll(current.container)
      else killing.abort(new Error('the job was terminated'))
    },
    async kill() {
      ending = 'killed'
      killing.abort(new Error('the job was killed'))
      output.drop()
      const last = current
      if (last) {
        const { container } = last
        await stop(last).catch(() => removeContainer(container).catch(() => {}))
      }
      await over
    },
    remove: () => clear(begun.volume),
  }
}

/** A container whose output is not read could not be killed, so the output goes first. */
async function stop({ container, output: unread }: Started): Promise<void> {
  unread.destroy()
  await killContainer(container)
}

const withoutNetwork: ContainerEnd = { kind: 'lost', why: 'its network or its engine was stopped' }

function limitsOf({ limits }: Site, { limits: own }: JobSpec): ContainerLimits {
  return {
    memory_bytes: own.memory_bytes ?? limits.memory_bytes,
    cpus: own.cpus ?? limits.cpus,
    processes: own.processes ?? limits.processes,
  }
}

function without(limits: ContainerLimits, bytes: number): ContainerLimits {
  const { memory_bytes } = limits
  return memory_bytes === undefined ? limits : { ...limits, memory_bytes: memory_bytes - bytes }
}

function exitOf(step: Step, end: ContainerEnd): Exit {
  if (end.kind === 'lost') {
    return { kind: 'lost', why: end.why, ...(step.name === 'job' && { running: true }) }
  }
  const ofClone = cloneExit(step, end.code)
  if (ofClone) return ofClone
  if (end.out_of_memory && end.code === 137) return { kind: 'out_of_memory' }
  return { kind: 'exited', code: end.code }
}
