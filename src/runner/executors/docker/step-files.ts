import { mkdtemp, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { JobSpec, Step } from '../../executor.ts'
import { bringInputs, inputFolder } from '../inputs.ts'
import { archiveOf, archiveOfFolder, type Owner } from './archive.ts'
import type { Archive } from './container.ts'
import { home, inputRoot, keyFile, programFile } from './launch.ts'

/** The program of a step and its key. The first step of a run also makes the home. */
export async function filesOf(step: Step, user: Owner, makesHome: boolean): Promise<Archive> {
  const folder = (name: string) => ({ name, mode: 0o700, folder: true as const, ...user })
  const file = (name: string, text: string) => ({ name, mode: 0o600, text, ...user })
  const files = [
    ...(makesHome ? [folder(home)] : []),
    folder(path.dirname(programFile)),
    file(programFile, step.script),
    ...(step.ssh_key === undefined ? [] : [file(keyFile, step.ssh_key)]),
  ]
  return { folder: '/', bytes: await archiveOf(files) }
}

interface CopiedInputs {
  archive: Archive
  /** Removes the copy from this machine. */
  remove(): Promise<void>
}

/** Copies folders of this machine to where they can be packed for a container. */
export async function copyInputs(
  { run_id, inputs }: Pick<JobSpec, 'run_id' | 'inputs'>,
  { workDir, runner, user }: { workDir: string; runner: string; user: Owner },
  signal: AbortSignal,
): Promise<CopiedInputs> {
  const folder = await mkdtemp(path.join(workDir, `${runner}+${run_id}+`))
  const place = { folder, user: undefined }
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await bringInputs(place, inputs, signal)
    const bytes = archiveOfFolder(inputFolder(place), inputRoot, user)
    return { archive: { folder: '/', bytes }, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Removes copies that runs of a runner have left in the folder, except those of runs that are in use. */
export async function removeInputsOf(
  runner: string,
  { workDir, inUse }: { workDir: string; inUse: ReadonlySet<string> },
): Promise<void> {
  for (const name of await readdir(workDir).catch((): string[] => [])) {
    const [owner, run] = name.split('+')
    if (owner !== runner || run === undefined || inUse.has(run)) continue
    await rm(path.join(workDir, name), { recursive: true, force: true })
  }
}
