import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Claims respected by all processes of this machine that use the same folder. A claim ends when it is
 * released, or when the process that holds it ends.
 */
export interface Claims {
  /** False when the name is claimed already. Of two simultaneous claims, at most one succeeds. */
  claim(name: string): boolean
  release(name: string): void
}

export function claimsIn(folder: string): Claims {
  const fileOf = (name: string) => path.join(folder, `${name}.${identity(process.pid)}`)

  function others(name: string): string[] {
    const own = path.basename(fileOf(name))
    return readdirSync(folder).filter((file) => file.startsWith(`${name}.`) && file !== own)
  }

  return {
    claim(name) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      try {
        writeFileSync(fileOf(name), '', { flag: 'wx' })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
        throw error
      }
      // Each process writes its file before it looks, so two cannot miss each other; both may give way.
      for (const file of others(name)) {
        if (isHeld(file)) {
          rmSync(fileOf(name))
          return false
        }
        rmSync(path.join(folder, file), { force: true })
      }
      return true
    },
    release: (name) => rmSync(fileOf(name), { force: true }),
  }
}

function isHeld(file: string): boolean {
  const holder = file.slice(file.lastIndexOf('.') + 1)
  return holder === identity(Number(holder.split('-')[0]))
}

/** A process id with the start time of its process, because ids are reused. */
function identity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return `${pid}-`
  }
}
