import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { extract, type Pack, pack } from 'tar-stream'

export interface Owner {
  uid: number
  gid: number
}

export type Entry = Owner & { name: string; mode: number } & (
    | { text: string | Buffer }
    | { folder: true }
  )

/** Names in archives are relative to where they are unpacked. */
const relative = (name: string) => name.replace(/^\//, '')

/** A tar archive of small files and folders, by their absolute paths in the container. */
export async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const entry of entries) add(archive, entry)
  archive.finalize()
  return buffer(archive)
}

/** Writes a tar archive to a file of this machine, one entry after the other. */
export async function writeArchive(file: string, entries: AsyncIterable<Entry>): Promise<void> {
  const archive = pack()
  const written = pipeline(archive as unknown as Readable, createWriteStream(file, { mode: 0o600 }))
  written.catch(() => {})
  try {
    for await (const entry of entries) add(archive, entry)
    archive.finalize()
  } catch (error) {
    archive.destroy()
    throw error
  }
  await written
}

function add(archive: Pack, entry: Entry): void {
  const { mode, uid, gid } = entry
  const name = relative(entry.name)
  if ('text' in entry) archive.entry({ name, mode, uid, gid }, entry.text)
  else archive.entry({ name, mode, uid, gid, type: 'directory' })
}

/** A tar archive of a folder and all of its contents, below `name`. Links stay links. */
export function archiveOfFolder(folder: string, name: string, owner: Owner): Readable {
  const archive = pack()
  addFolder(archive, folder, relative(name), owner).then(
    () => archive.finalize(),
    (error: Error) => archive.destroy(error),
  )
  return archive as unknown as Readable
}

async function addFolder(archive: Pack, folder: string, name: string, owner: Owner): Promise<void> {
  archive.entry({ name, mode: 0o700, type: 'directory', ...owner })
  for (const each of await readdir(folder)) {
    const file = path.join(folder, each)
    const below = `${name}/${each}`
    const found = await lstat(file)
    const { size, mode } = found
    if (found.isDirectory()) await addFolder(archive, file, below, owner)
    else if (found.isSymbolicLink()) {
      archive.entry({ name: below, type: 'symlink', linkname: await readlink(file), ...owner })
    } else if (found.isFile()) {
      const entry = archive.entry({ name: below, size, mode: mode & 0o777, ...owner })
      await pipeline(createReadStream(file), entry)
    }
  }
}

/**
 * The content of an archive's first entry; undefined if that is not a file, or has more than `most`
 * bytes. The rest is not read: the engine locks a container until a response with its files is read
 * or closed.
 */
export async function bytesIn(archive: Readable, most: number): Promise<Buffer | undefined> {
  const reader = extract()
  // A response that breaks off ends the reader.
  pipeline(archive, reader as unknown as Writable).catch(() => {})
  try {
    for await (const entry of reader) {
      const { type, size } = entry.header
      return type === 'file' && size <= most ? await buffer(entry) : undefined
    }
    return undefined
  } finally {
    archive.destroy()
  }
}

/** The text of an archive's first entry, as `bytesIn`. */
export async function fileIn(archive: Readable, most: number): Promise<string | undefined> {
  return (await bytesIn(archive, most))?.toString()
}
