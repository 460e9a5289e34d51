// The real service. With the role `web` only, what it stores is not processed here, so that the
// processing takes no part of the measured time; its entries are added to the queue all the same.
import { createLog } from '../../src/cli/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import { answer, closeAtLast, tell } from '../harness/parent.ts'
import { watchHops } from './hops.ts'

const config = readConfig(process.env)
const { wrapHop, rest } = watchHops()
const service = await startService(config, { log: createLog(config), wrapHop })

answer({
  rest: () => rest(),
  rss: () => process.memoryUsage.rss(),
  cpu: () => secondsOf(process.cpuUsage()),
})
closeAtLast(service.stop)
tell({ url: service.localUrl })

function secondsOf({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6
}
