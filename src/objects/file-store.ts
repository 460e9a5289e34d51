import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { type ByteRange, checkKey, MissingObject, type ObjectStore, StoreError } from './objects.ts'

interface FileStoreOptions {
  place: string
  folder: string
  /** Whether the folder is created; one that someone else provides may only be unmounted. */
  creates: boolean
}

/** Keeps objects as files below a folder. */
export function openFileStore({ place, folder, creates }: FileStoreOptions): ObjectStore {
  const fileOf = (key: string) => path.join(folder, checkKey(key))

  async function check(): Promise<void> {
    try {
      if (creates) await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      throw unusable(error)
    }
  }

  function unusable(error: unknown): StoreError {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is no such folder' : (code ?? message)
    return new StoreError(`the folder ${folder} cannot be used (${why})`, error)
  }

  async function put(key: string, body: Buffer): Promise<void> {
    const file = fileOf(key)
    await check()
    try {
      await makeFolders(path.dirname(file))
      // Only one process writes this key. What a killed one left was cut anywhere.
      const partial = `${file}.part`
      await rm(partial, { force: true })
      await writeWhole(partial, body)
      await rename(partial, file)
      await syncFolder(path.dirname(file))
    } catch (error) {
      throw unusable(error)
    }
  }

  async function get(key: string, range?: ByteRange): Promise<Buffer> {
    const file = fileOf(key)
    let handle: FileHandle
    try {
      handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(error)
      await check()
      throw new MissingObject(key)
    }
    try {
      return await readFrom(handle, range)
    } catch (error) {
      throw unusable(error)
    } finally {
      await handle.close()
    }
  }

  async function remove(key: string): Promise<void> {
    const file = fileOf(key)
    await check()
    try {
      await rm(`${file}.part`, { force: true })
      await rm(file, { force: true })
    } catch (error) {
      throw unusable(error)
    }
  }

  return {
    place,
    put,
    get,
    delete: remove,
    check,
    async examine() {
      const key = `examination-${randomBytes(8).toString('hex')}`
      const body = Buffer.from('written by an examination, and deleted at once\n')
      await put(key, body)
      const read = await get(key)
      await remove(key)
      if (!read.equals(body))
        throw new StoreError(`${folder} returns other bytes than were written`)
      return []
    },
  }
}

/** Creates missing folders; each is on disk before anything is written to it. */
async function makeFolders(wanted: string): Promise<void> {
  const first = await mkdir(wanted, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = wanted; made.length >= first.length; made = path.dirname(made)) {
    await syncFolder(path.dirname(made))
  }
}

/** Writes a new file. A failed sync is final for it: pages may be gone although a second one succeeds. */
async function writeWhole(file: string, body: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(body)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } catch (error) {
    // Some network file systems cannot: their server decides when names are on disk.
    if (!['EINVAL', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw error
    }
  } finally {
    await handle.close()
  }
}

async function readFrom(handle: FileHandle, range?: ByteRange): Promise<Buffer> {
  if (!range) return handle.readFile()
  const buffer = Buffer.alloc(range.end - range.start)
  let read = 0
  while (read < buffer.length) {
    const { bytesRead } = await handle.read(buffer, read, buffer.length - read, range.start + read)
    if (bytesRead === 0) throw new Error('the file ends too early')
    read += bytesRead
  }
  return buffer
}
