import type { ComponentChildren } from 'preact'
import { slugOf, type Repository } from '../../../domain/repository.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { homePath } from '../paths.ts'

interface SubscriptionProps {
  frame: Frame
  /** Undefined where the user cannot see it. */
  repository: Pick<Repository, 'owner_name' | 'name'> | undefined
  /** Of the user whose mails it is about. */
  login: string
  /** Whether the user gets them. */
  subscribed: boolean
  /** Whether that was just chosen. */
  changed: boolean
}

/** Whether a user gets mails about the builds of a repository; what a link in such a mail leads to. */
export function SubscriptionPage({
  frame,
  repository,
  login,
  subscribed,
  changed,
}: SubscriptionProps) {
  const named = repository ? (
    <bdi>{slugOf(repository)}</bdi>
  ) : (
    'a repository that is hidden from you'
  )
  return (
    <MailFrame frame={frame} title="Build mails">
      <p role={changed ? 'status' : undefined}>
        <bdi>{login}</bdi> {subscribed ? 'gets' : 'gets no'} mails about builds of {named}
        {changed ? ' from now on.' : '.'}
      </p>
      <form class="given" method="post">
        <input type="hidden" name="subscribed" value={String(!subscribed)} />
        <button class="main">{subscribed ? 'Unsubscribe' : 'Subscribe again'}</button>
      </form>
    </MailFrame>
  )
}

/** For a link that is about nothing. */
export function NoSubscriptionPage({ frame }: { frame: Frame }) {
  return (
    <MailFrame frame={frame} title="This link leads nowhere">
      <p>
        It is not complete, or the repository that it is about does not exist any more. Nothing was
        changed.
      </p>
    </MailFrame>
  )
}

function MailFrame({
  frame,
  title,
  children,
}: {
  frame: Frame
  title: string
  children: ComponentChildren
}) {
  const crumbs = [{ text: 'Repositories', href: homePath(frame.prefix) }, { text: title }]
  return (
    <Layout {...frame} title={title} crumbs={crumbs}>
      <h1>{title}</h1>
      {children}
    </Layout>
  )
}
