import { listViewer } from '../../../access/viewer.ts'
import { runnersOfJobs } from '../../../store/jobs/leases.ts'
import { openJobs } from '../../../store/jobs/listed-jobs.ts'
import { queuePositions } from '../../../store/jobs/queue-positions.ts'
import { get } from '../../core/endpoint.ts'
import { asPage } from '../as-page.tsx'
import { QueuePage } from './page.tsx'

const most = 200
const show = asPage(QueuePage)

export const queuePages = [
  get('/queue', {
    async answer(call) {
      const { ctx, viewer } = call
      const { db } = ctx
      const [waiting, running] = await Promise.all([
        openJobs(db, ['created', 'queued'], listViewer(viewer), most),
        openJobs(db, ['received', 'started'], listViewer(viewer), most),
      ])
      const builds = [...new Set(waiting.map(({ build_id }) => build_id))]
      // The names of runners are names of machines.
      const held = viewer.administrator ? running.map(({ id }) => id) : []
      const [positions, runners] = await Promise.all([
        queuePositions(db, builds),
        runnersOfJobs(db, held),
      ])
      return show({ waiting, positions, running, runners, most }, call)
    },
  }),
]
