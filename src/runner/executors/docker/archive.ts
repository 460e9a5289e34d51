import { createReadStream } from 'node:fs'
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

export type Entry = Owner & { name: string; mode: number } & ({ text: string } | { folder: true })

/** Names in archives are relative to where they are unpacked. */
const relative = (name: string) => name.replace(/^\//, '')

/** A tar archive of small files and folders, by their absolute paths in the container. */
export async function archiveOf(entries: readonly Entry[]): Promise<Buffer> {
  const archive = pack()
  for (const entry of entries) {
    const { mode, uid, gid } = entry
    const name = relative(entry.name)
    if ('text' in entry) archive.entry({ name, mode, uid, gid }, entry.text)
    else archive.entry({ name, mode, uid, gid, type: 'directory' })
  }
  archive.finalize()
  return buffer(archive)
}

/** A tar archive of a folder and all that is in it, below `name`. Links stay links. */
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
 * The text of an archive's first entry; undefined if that is no file, or has more than `most` bytes. The rest is
 * not read: the engine locks a container until an answer about its files is read or closed.
 */
export async function fileIn(archive: Readable, most: number): Promise<string | undefined> {
  const reader = extract()
  // An answer that breaks off ends the reader.
  pipeline(archive, reader as unknown as Writable).catch(() => {})
  try {
    for await (const entry of reader) {
      const { type, size } = entry.header
      return type === 'file' && size <= most ? (await buffer(entry)).toString() : undefined
    }
    return undefined
  } finally {
    archive.destroy()
  }
}
