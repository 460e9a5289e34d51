import type { ComponentChildren } from 'preact'
import { type Repository, slugOf } from '../../../domain/repository.ts'
import type { FieldProblems } from './field.tsx'
import { type Frame, Layout } from './layout.tsx'
import { repositoryCrumbs } from './repository-crumbs.ts'

interface SettingsFrameProps {
  frame: Frame
  repository: Repository
  /** The title of the page, such as `Variables`. */
  name: string
  problems: FieldProblems
  /** Why the form that was just sent changed nothing. */
  problem?: string | undefined
  children: ComponentChildren
}

/** The layout of pages on which something of a repository is set. */
export function SettingsFrame(props: SettingsFrameProps) {
  const { frame, repository, name, problems, problem, children } = props
  const slug = slugOf(repository)
  return (
    <Layout
      {...frame}
      title={`${problems.size > 0 ? 'Error: ' : ''}${name} of ${slug}`}
      problem={problem}
      crumbs={[...repositoryCrumbs(frame.prefix, repository), { text: name }]}
    >
      <h1>
        {name} of <bdi>{slug}</bdi>
      </h1>
      {children}
    </Layout>
  )
}
