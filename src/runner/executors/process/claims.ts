import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Claims that all processes of this machine respect which use the same folder. A claim ends when it
 * is released, and with the process that holds it.
 */
export interface Claims {
  /** False when the name is claimed already. Of two that claim it at once, at most one succeeds. */
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
      // Each writes first and looks then, so two cannot miss each other; both may give way.
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

/** A process id with the time its process was started, since ids are used again. */
function identity(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return `${pid}-${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
  } catch {
    return `${pid}-`
  }
}
