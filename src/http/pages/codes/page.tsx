import { fixOf, type Subject, summaryOf } from '../../../lint/subjects.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Level } from '../parts/level.tsx'
import { Prose } from '../parts/prose.tsx'
import { Table } from '../parts/table.tsx'
import { codePath, homePath } from '../paths.ts'

interface CodesPageProps {
  frame: Frame
  subjects: readonly Subject[]
}

/** All codes of the linter, each with a link to its own page. */
export function CodesPage({ frame, subjects }: CodesPageProps) {
  const { prefix } = frame
  const of = (kind: Subject['kind']) => subjects.filter((subject) => subject.kind === kind)
  return (
    <Layout
      {...frame}
      title="What the linter finds"
      crumbs={[{ text: 'Repositories', href: homePath(prefix) }, { text: 'What the linter finds' }]}
    >
      <h1>What the linter finds</h1>
      <p>
        Messages come from reading a build file, and are the same wherever it is read. Advice is
        about what is valid, but probably not intended. <code>build-service lint --fix</code>{' '}
        applies fixes; a fix on request changes what the jobs do, so it needs <code>--unsafe</code>{' '}
        as well.
      </p>
      <h2 id="messages">Messages</h2>
      <Codes subjects={of('message')} caption="Messages" prefix={prefix} />
      <h2 id="advice">Advice</h2>
      <Codes subjects={of('advice')} caption="Advice" prefix={prefix} />
    </Layout>
  )
}

interface CodesProps {
  subjects: readonly Subject[]
  caption: string
  prefix: string
}

function Codes({ subjects, caption, prefix }: CodesProps) {
  return (
    <Table caption={caption} columns={['Code', 'Level', 'What it is about', 'Fix']}>
      {subjects.map((subject) => (
        <tr>
          <th scope="row">
            <a href={codePath(prefix, subject.code)}>
              <code>{subject.code}</code>
            </a>
          </th>
          <td>
            {subject.levels.map((level) => (
              <>
                <Level level={level} />{' '}
              </>
            ))}
          </td>
          <td>
            <Prose text={summaryOf(subject)} />
          </td>
          <td data-name="Fix">{fixes[fixOf(subject)]}</td>
        </tr>
      ))}
    </Table>
  )
}

const fixes = { none: '', safe: 'yes', 'on request': 'on request' } as const
