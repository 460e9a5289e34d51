// The real service with the role `web`, which also says how much memory it has.
import { createLog } from '../../src/cli/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'
import { answer, closeAtLast, tell } from '../harness/parent.ts'

const config = readConfig(process.env)
const service = await startService(config, { log: createLog(config) })

answer({ megabytes: async () => process.memoryUsage.rss() / 1024 / 1024 })
closeAtLast(service.stop)
tell({ url: service.localUrl })
