// The real service with the role `web`, which also says how much memory it has.
import { answer, closeAtLast, tell } from '../harness/parent.ts'
import { createLog, readConfig, startService } from '../harness/service.ts'

const config = readConfig(process.env)
const service = await startService(config, { log: createLog(config) })

answer({ megabytes: async () => process.memoryUsage.rss() / 1024 / 1024 })
closeAtLast(service.stop)
tell({ url: service.localUrl })
