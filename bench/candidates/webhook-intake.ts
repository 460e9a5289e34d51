// The real service with the role `web` only: what it stores is not processed here, so that the
// processing takes no part of the measured time. Its entries are added to the queue all the same.
import { createLog } from '../../src/cli/log.ts'
import { readConfig } from '../../src/config/config.ts'
import { startService } from '../../src/service/start.ts'

const config = readConfig(process.env)
let underWay = 0

const service = await startService(config, {
  log: createLog(config),
  async around(_hop, work) {
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
      if (underWay === 0) process.emit('message', {}, undefined)
    }
  },
})
