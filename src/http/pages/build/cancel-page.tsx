import type { Build } from '../../../domain/build.ts'
import { isFinished, type Job } from '../../../domain/job/job.ts'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import { Form } from '../parts/form.tsx'
import { type Frame, Layout } from '../parts/layout.tsx'
import { repositoryCrumbs } from '../parts/repository-crumbs.ts'
import { buildFormPath, buildPath } from '../paths.ts'

interface CancelPageProps {
  frame: Frame
  repository: Repository
  build: Build
  jobs: readonly Job[]
}

/** Asks whether a whole build is to be canceled, because that cannot be undone, only repeated. */
export function CancelPage({ frame, repository, build, jobs }: CancelPageProps) {
  const { prefix, viewer } = frame
  const slug = slugOf(repository)
  const href = buildPath(prefix, repository, build)
  const open = jobs.filter((job) => !isFinished(job))
  const running = open.filter(({ state }) => state === 'started').length
  return (
    <Layout
      {...frame}
      title={`Cancel build #${build.number} of ${slug}`}
      crumbs={[
        ...repositoryCrumbs(prefix, repository),
        { text: `#${build.number}`, href },
        { text: 'Cancel' },
      ]}
    >
      <h1>Cancel build #{build.number}?</h1>
      {open.length === 0 ? (
        <p>
          All of its jobs have ended. <a href={href}>To the build</a>
        </p>
      ) : (
        <>
          <p>
            {open.length} of its {jobs.length} jobs have not ended
            {running > 0 &&
              `; ${running} of them ${running === 1 ? 'runs' : 'run'} and will be killed`}
            . The build counts as canceled, and so does the status of its commit. It can be
            restarted later, from the beginning of each job.
          </p>
          <Form
            viewer={viewer}
            action={buildFormPath(prefix, repository, build, 'cancel')}
            class="actions"
          >
            <button class="danger">Cancel build #{build.number}</button>
            <a href={href}>Keep it running</a>
          </Form>
        </>
      )}
    </Layout>
  )
}
