import { readFileSync } from 'node:fs'

const ticksPerSecond = 100
let last = 0

/** Processor seconds since the last call, or since this process began. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  const now = (user + system) / 1e6 + ofEndedPrograms()
  const spent = now - last
  last = now
  return spent
}

/** What programs used that this process started and that have ended. Only Linux knows. */
function ofEndedPrograms(): number {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
    const [user, system] = fields.split(' ').slice(13, 15)
    return (Number(user) + Number(system)) / ticksPerSecond
  } catch {
    return 0
  }
}
