import { mkdir, readFile, rename, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isMap } from '../../../domain/config/config-value.ts'
import { type Engine, statusOf, textOf } from './engine.ts'

/** The images that this service has pulled, by id, with the names of the pulls and the time of the last use. */
type Uses = Record<string, { names: string[]; used: string }>

export interface PulledImages {
  /**
   * Records the pull of an image that the engine did not have. Never rejects: without a record, the
   * image is kept forever.
   */
  pulled(name: string, id: string): Promise<void>
  /**
   * Records that a job uses an image; does nothing for images that others have pulled. Never
   * rejects.
   */
  used(id: string): Promise<void>
  /**
   * Removes images that were unused for the given number of days and, while the engine's disk has
   * too little free space, those that were unused the longest. Images of containers stay. Returns
   * the names of the removed images.
   */
  removeUnused(days: number): Promise<string[]>
  /** The images that the engine still has. */
  stored(): Promise<{ images: number; bytes: number }>
}

export interface PulledImagesOptions {
  /** The file that keeps the record over restarts; commands of the same installation share it. */
  file: string
  /** Free bytes of a folder's disk; replaced in tests. */
  freeBytes?: ((folder: string) => Promise<number>) | undefined
}

const hour = 3_600_000
const day = 24 * hour
/** Free bytes below which even images are removed that are not old enough yet. */
const leastFree = 10e9

export function createPulledImages(
  engine: Engine,
  { file, freeBytes = freeBytesOf }: PulledImagesOptions,
): PulledImages {
  let changing: Promise<unknown> = Promise.resolve()

  /** Runs one change after the other, each on the current content of the file. */
  function change<T>(work: (uses: Uses) => Promise<T>): Promise<T> {
    const changed = changing.then(async () => {
      const uses = await read(file)
      const before = JSON.stringify(uses)
      const result = await work(uses)
      if (JSON.stringify(uses) !== before) await write(file, uses)
      return result
    })
    changing = changed.catch(() => {})
    return changed
  }

  /** A disk that is full, for example, must not end a job. */
  function note(work: (uses: Uses) => void): Promise<void> {
    return change(async (uses) => work(uses)).catch(() => {})
  }

  async function remove(uses: Uses, id: string): Promise<string | undefined> {
    const names = uses[id]?.names
    if (names === undefined) return undefined
    try {
      const own: string[] = []
      for (const name of names) if (await hasId(name, id)) own.push(name)
      // Even from an image in use, the engine removes all names but the last.
      if (own.length > 1 && (await isInUse(id))) return undefined
      for (const each of own.length > 0 ? own : [id]) await engine.getImage(each).remove()
    } catch (error) {
      // 409: a container uses it, or someone else has given it another name.
      if (statusOf(error) === 409) return undefined
      if (statusOf(error) !== 404) throw error
    }
    delete uses[id]
    return names.join(', ')
  }

  async function isInUse(id: string): Promise<boolean> {
    const filters = { ancestor: [id] }
    return (await engine.listContainers({ all: true, filters })).length > 0
  }

  async function hasId(name: string, id: string): Promise<boolean> {
    try {
      return (await engine.getImage(name).inspect()).Id === id
    } catch (error) {
      if (statusOf(error) === 404) return false
      throw error
    }
  }

  /** False if the engine's disk is not on this machine. */
  async function isShort(): Promise<boolean> {
    const info: unknown = await engine.info()
    const folder = textOf(info, 'DockerRootDir')
    if (folder === undefined) return false
    const free = await freeBytes(folder).catch(() => Infinity)
    return free < leastFree
  }

  return {
    pulled: (name, id) =>
      note((uses) => {
        const names = new Set([...(uses[id]?.names ?? []), name])
        uses[id] = { names: [...names], used: new Date().toISOString() }
      }),

    used: (id) =>
      note((uses) => {
        const use = uses[id]
        // Not for each job: the times are compared by days.
        if (use && Date.now() - Date.parse(use.used) > hour / 2) use.used = new Date().toISOString()
      }),

    removeUnused: (days) =>
      change(async (uses) => {
        const removed: string[] = []
        const age = (id: string) => Date.now() - Date.parse(uses[id]?.used ?? '')
        // An image that was just used may belong to a job whose container does not exist yet.
        const idle = Object.keys(uses).filter((id) => age(id) > hour)
        for (const id of idle.toSorted((one, other) => age(other) - age(one))) {
          if (age(id) <= days * day && !(await isShort())) break
          const name = await remove(uses, id)
          if (name !== undefined) removed.push(name)
        }
        return removed
      }),

    async stored() {
      const uses = await read(file)
      const all = await engine.listImages()
      const ours = all.filter(({ Id }) => uses[Id] !== undefined)
      return { images: ours.length, bytes: ours.reduce((sum, { Size }) => sum + Size, 0) }
    },
  }
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** An unreadable file counts as empty: its images are then never removed. */
async function read(file: string): Promise<Uses> {
  const uses: Uses = {}
  try {
    const found: unknown = JSON.parse(await readFile(file, 'utf8'))
    for (const [id, use] of Object.entries(isMap(found) ? found : {})) {
      const listed = isMap(use) && Array.isArray(use['names']) ? use['names'] : []
      const names = listed.filter((name) => typeof name === 'string')
      const used = textOf(use, 'used')
      if (names.length > 0 && used !== undefined && !Number.isNaN(Date.parse(used))) {
        uses[id] = { names, used }
      }
    }
  } catch {
    return {}
  }
  return uses
}

async function write(file: string, uses: Uses): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(`${file}.new`, JSON.stringify(uses), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
