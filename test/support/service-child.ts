// A service in a process of its own, which a test may have killed at a point of its choice:
// KILL_AT is the name of a hop, with `before ` or `after ` in front.
import { pino } from 'pino'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import type { WrapHop } from '../../src/worker/worker.ts'

const fatal = process.env.KILL_AT

const wrapHop: WrapHop = async (hop, work) => {
  if (fatal === `before ${hop}`) process.kill(process.pid, 'SIGKILL')
  const result = await work()
  if (fatal === `after ${hop}`) process.kill(process.pid, 'SIGKILL')
  return result
}

const log = pino({ level: process.env.LOG_LEVEL ?? 'error' }, pino.destination(2))
const service = await startService(readConfig(process.env), { log, wrapHop })
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)))
console.log(service.localUrl)
