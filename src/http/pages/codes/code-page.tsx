import type { Example } from '../../../lint/example.ts'
import type { Subject } from '../../../lint/subjects.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { Level } from '../parts/level.tsx'
import { Prose } from '../parts/prose.tsx'
import { codesPath, homePath } from '../paths.ts'

interface CodePageProps {
  frame: Frame
  subject: Subject
}

/** The meaning of one finding code, with examples. */
export function CodePage({ frame, subject }: CodePageProps) {
  const { code, kind, levels, text, examples } = subject
  const { prefix } = frame
  const hits = examples.filter(({ messages }) => messages.length > 0)
  const others = examples.filter(({ messages }) => messages.length === 0)
  return (
    <Layout
      {...frame}
      title={code}
      crumbs={[
        { text: 'Repositories', href: homePath(prefix) },
        { text: 'What the linter finds', href: codesPath(prefix) },
        { text: code },
      ]}
    >
      <h1>
        <code>{code}</code>
      </h1>
      <p class="faint">
        {kind === 'message' ? 'A message about the build file' : 'Advice'}:{' '}
        {levels.map((level) => (
          <>
            <Level level={level} />{' '}
          </>
        ))}
      </p>
      {text.map((paragraph) => (
        <p class="prose">
          <Prose text={paragraph} />
        </p>
      ))}
      {hits.map((example) => (
        <Hit {...example} />
      ))}
      {others.length > 0 && (
        <>
          <h2>Fine</h2>
          {others.map(({ source }) => (
            <Yaml text={source} />
          ))}
        </>
      )}
    </Layout>
  )
}

function Hit({ source, messages, branch, imports = {}, fixed, onRequest }: Example) {
  return (
    <>
      <h2>Example</h2>
      <Yaml text={source} />
      {Object.entries(imports).map(([name, text]) => (
        <Imported name={name} text={text} />
      ))}
      {branch !== undefined && (
        <p>
          In a build of the branch <code>{branch}</code>:
        </p>
      )}
      {messages.map((message) => (
        <blockquote>{message}</blockquote>
      ))}
      {fixed !== undefined && (
        <>
          <p>
            Fixed by <code>{onRequest ? '--fix --unsafe' : '--fix'}</code>:
          </p>
          <Yaml text={fixed} />
        </>
      )}
    </>
  )
}

function Imported({ name, text }: { name: string; text: string | { refused: string } }) {
  if (typeof text !== 'string' || text === '') return null
  return (
    <>
      <p>
        <code>{name}</code>:
      </p>
      <Yaml text={text} />
    </>
  )
}

function Yaml({ text }: { text: string }) {
  return <pre class="yaml">{text.trimEnd()}</pre>
}
