<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Load a model folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder of a model on this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Unload the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the model&apos;s memory back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take chats from an export of this program or of ChatGPT</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export this chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write this chat to a file: Markdown, JSON or HTML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export &amp;all chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write all chats to files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Attach a text file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settin&amp;gs of this chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt, sampling, presets and limits of this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>P&amp;in or unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep this chat at the top of the list, or no longer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Move to a folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archi&amp;ve or take back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put this chat out of the way, or back into the list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Delete the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted c&amp;hats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take deleted chats back, or erase them for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ne&amp;xt tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Edit the last message you wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Regenerate the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask again; the answer there is stays beside the new one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Continue the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer several &amp;ways…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several answers side by side; pick the one to go on from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Previous version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Fork into a new chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy the chat up to this message into a new tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quote in the reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin a reply to the selected text, or to the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model, tokens, speed, seed and why the answer ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>De&amp;lete the last message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;ommands…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find any command or chat by typing a part of its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Find in all chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the &amp;sidebar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split to the &amp;right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move this tab into a pane of its own at the right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split do&amp;wn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move this tab into a pane of its own below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the ne&amp;xt pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the pre&amp;vious pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move the tab to the next &amp;pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Close the pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its tabs go to the pane beside it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours as the s&amp;ystem</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>L&amp;arger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Normal text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Enter sends, Shift+Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>C&amp;trl+Enter sends, Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine &amp;log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About Inglenook</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AnswerForm</name>
    <message>
        <source>Form of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Free text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON of a schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A pattern (regular expression)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schema or pattern</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> pt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The kettle is on, and the fire is lit.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another language is there after the next start.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AttachmentChips</name>
    <message>
        <source>Show the attachment {name}, {size}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AttachmentReader</name>
    <message>
        <source>{name} is not there any more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} may not be read with your rights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} could not be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 character</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} thousand characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} million characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is larger than {limit} MB; attach the part that matters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a folder; choose the files in it that matter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a device or a pipe, not a file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not UTF-8; it was read as Latin-1. Look whether its letters are right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a PDF. Only text can be attached: copy its text instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is a picture. Models are given text only here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is an office document. Save it as plain text and attach that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is not a text file.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AttachmentRow</name>
    <message>
        <source>Attached texts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {count} texts go with one message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is too much: together the texts would have {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>being read…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Deleted chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats are being erased</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Erase for good…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty the bin…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking into the bin…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title}
Changed {when}</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n deleted chat(s). They stay here until they are erased.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>The bin is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Erase “{title}” for good?</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Erase %n chat(s) for good?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Erase all %n chat(s) in the bin for good?</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Erase for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This cannot be undone. Every trace goes from this computer&apos;s store of chats, and the backups that hold them are removed as well.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Erase</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CandidatesView</name>
    <message>
        <source>Answers to choose from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer {number}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatFacts</name>
    <message>
        <source>Preset: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>own system prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no system prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} parameters changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name}: default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most (tokens)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop strings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pattern</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at most {count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Inglenook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search all chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search all chats and messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats will stand here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{title}” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chats deleted</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatListDesk</name>
    <message>
        <source>Move to a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) pinned</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) unpinned</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) archived</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the archive</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) moved to “{folder}”</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the folder</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Folder renamed to “{folder}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder “{folder}” dissolved</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This week</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This month</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatListView</name>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message>
        <source>Close the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Move to a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename the folder…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export its chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dissolve the folder, keep its chats</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatSession</name>
    <message>
        <source>The engine could not finish this answer. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a message first, then send it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A message cannot be empty. Delete it instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is still on its way. Stop it first, or wait for its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat is still being changed. Send it again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message was not sent, because it could not be saved: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chat could not be changed. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message makes {prompt} tokens with this chat; the model reads {context}, which leaves too little room for an answer. Shorten it, or begin a new chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your message makes {prompt} tokens with this chat; the model reads {context}. Shorten it, or begin a new chat.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatSettings</name>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Empty: the model gets no instructions besides the chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the default prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An empty field leaves it to the model&apos;s own default.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Form of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When the chat is longer than the model reads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask which messages to leave out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refuse to send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As in the settings: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of “{title}”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatTab</name>
    <message>
        <source>Waiting for a place at the model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number {position} of {total} in line.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChattingPage</name>
    <message>
        <source>Chatting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter sends, Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written by the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your first words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Titles of new chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model writes a title when it has nothing else to do.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask me what to do</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send nothing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>When a chat is longer than the model can read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For chats that have no rule of their own. Nothing is left out silently.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None: new chats start without instructions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt of new chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats that are there already keep theirs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the original one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tell me when a long answer is there</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only while you look elsewhere. It names the chat, never what it says.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code, {language}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type a command or the title of a chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Command or chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends · Shift+Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+Enter sends · Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is a picture. Models are given text only here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ComposerTools</name>
    <message>
        <source>Attach text files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attach text files; you can drop them here too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of this chat: {facts}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt, preset and sampling of this chat: all defaults</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConstraintCheck</name>
    <message>
        <source>This is longer than {count} characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Line {line}, column {column}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is nested too deeply.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A schema is an object: it begins with a brace.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no type {kind} in JSON.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“properties” must be an object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This pattern cannot be read: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look-around and references back to a group cannot be used here.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Conversation</name>
    <message>
        <source>This chat could not be saved: {reason} It is kept here and tried again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DatesDialog</name>
    <message>
        <source>Search in a time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DesktopNotifications</name>
    <message>
        <source>Show the chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditMode</name>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>Getting ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>starting the engine&apos;s libraries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>measuring memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>setting memory aside for chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>warming up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine starting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine restarting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EngineBanner</name>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Building the starter model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages you send wait until one is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can write and send already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine stopped. Answers so far are kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {step} of {steps}: {stage}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It starts again in {seconds} s (try {count}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} messages wait; nothing is lost.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One message waits; nothing is lost.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EngineDesk</name>
    <message>
        <source>Build the starter model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load the starter model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading another model interrupts them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason} {model} stays loaded.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unloading the model interrupts them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder of a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the installed package</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>These settings cannot be used: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The starter model could not be built: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers are on their way</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} chats are being answered by {model}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A chat is being answered by {model}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{consequence} What is written so far is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EnginePage</name>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model at the start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the starter model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A model that you choose is loaded now and at every start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The starter model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>All chats: %n</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder with one file for each chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To read and to go on writing elsewhere. The branch that is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>HTML</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To read in a browser, to print or to pass on. The branch that is shown.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>JSON</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything: all branches, attachments and figures. Can be imported again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inglenook chats {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {total} chats</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A JSON file that Inglenook exported, or a ChatGPT export: the .zip as it was downloaded, or the conversations.json in it. Nothing is sent anywhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put them into the folder:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import chats that are here already as copies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Otherwise a chat with the title and the date of one here is passed over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats (*.json *.zip)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported so far</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inglenook</name>
    <message>
        <source>Today&apos;s backup of your chats could not be made. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Open a link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open a page of {host} in your browser?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only web addresses (http, https) are opened. This one is not:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{user}” is only a user name here: the page is one of {host}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The name is written in other letters ({name}), which may look like those of a name you know.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It leads to this computer or to your own network.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Something went wrong</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inglenook met a fault of its own and goes on: {summary}
Your chats are saved. If it comes back, copy this for a report.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{title}” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{reason} Until then nothing is sent; what you write here is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Copy what there is so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on from here in a new tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Several answers side by side</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n answer(s)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Details</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it go on writing</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageDetails</name>
    <message>
        <source>Details of this answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy as run card</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All that it takes to make this answer again, as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Number format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Device</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tokens}, {cached} of them from the cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older ones not read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First token after</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of it took</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>random</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageFooter</name>
    <message>
        <source>Waiting for its turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Interrupted before it was complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer failed. Try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended at the length limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended: the context is full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ended at the stop string “{stop}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n older message(s) not read by the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>first token {wait} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy this answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageFrame</name>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speaker}: {text}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageToolbar</name>
    <message>
        <source>More to do with this message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MeterView</name>
    <message>
        <source>What the model reads with your next message, of what it can read at once</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notifier</name>
    <message>
        <source>The answer is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer failed.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NumberFields</name>
    <message>
        <source>{name}: back to the model&apos;s default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the model&apos;s default</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the model&apos;s default: {value}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How freely the model chooses: 0 always takes the likeliest word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the likeliest words whose shares add up to this are considered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only this many of the likeliest words are considered; 0: all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words below this share of the likeliest one are left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 0: words that were used once already become less likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 0: the more often a word was used, the less likely it becomes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 1: words of the chat so far become less likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest answer (tokens)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An answer ends here at the latest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed and settings give the same answer again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OverflowDialog</name>
    <message>
        <source>This chat is too long for the model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Always do this in this chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>With your message this chat has {prompt} tokens; the model reads {context} at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Of these {reserve} are kept for the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It fits if the oldest message is left out. It stays in the chat; the model does not read it for this answer:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It fits if the oldest {count} messages are left out. They stay in the chat; the model does not read them for this answer:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens before: {before}. Without them: {after} of {context}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No older message can be left out. Sent as it is, {room} tokens are left for the answer; it may break off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages that would be left out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{who}: {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Don&apos;t send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All of it, with little room for the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave them out and send</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageMenu</name>
    <message>
        <source>Open link…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy message as Markdown</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy what it thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quote in your reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Select all</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ParameterFields</name>
    <message>
        <source>a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write {what}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{value} (the model&apos;s own)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as much as fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>another each time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More than {low}, at most {high}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From {low} to {high}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PasteOffer</name>
    <message>
        <source>You pasted {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attach as text file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep in the message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you pasted is too large for a message: {size}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What you pasted ({size}) was attached as a text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Put it into the message instead</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pasted text.txt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pasted text {number}.txt</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as new…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the chat&apos;s settings in this preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save as a new preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The preset “{name}” was deleted. The chat keeps its settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The presets could not be saved: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Coder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Translator</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Summariser</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tutor</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Precise (JSON)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchFilterBar</name>
    <message>
        <source>Limit the search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outside of folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All models</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From … to …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only in the chat in front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Archived chats too</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the limit: {limit}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat: {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without the archive</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last year</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Any time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Until {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Since {day}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchModel</name>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>Show all %n chats</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Show more</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>{shown} of {total} messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shown} of more than {total} messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message>
        <source>The search did not work. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No title holds these words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing holds all these words within the limits above.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No chat and no message holds all these words.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchResults</name>
    <message>
        <source>Results of the search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionHub</name>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} (branch)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats are still being opened. Send it again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats cannot be saved, so nothing is sent. {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionState</name>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>reading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>writing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pages of settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SiblingStepper</name>
    <message>
        <source>The version before</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version {place} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SidewaysBar</name>
    <message>
        <source>Scroll sideways</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SplitArea</name>
    <message>
        <source>Pane {number} of {count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the next pane; all of them are shown in a larger window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the next pane</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StarterRebuild</name>
    <message>
        <source>it ended with code {code}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Engine state</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speed of all answers together</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV cache in use</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of the engine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>KV {percent} % · {used} of {total} blocks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} waiting for the model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StopReason</name>
    <message>
        <source>You stopped it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was interrupted: the engine or the window went away.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It met the stop string “{stop}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model ended its answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It reached the longest answer that this chat allows.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The context is full: the model can read no more.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StopStrings</name>
    <message>
        <source>Stop strings, one a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One a line; the answer ends before the first of them. \n stands for a line break, \t for a tab, \\ for a backslash.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StoragePage</name>
    <message>
        <source>Chats and storage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your chats are kept in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>They take</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last backup</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A backup is made each day, seven are kept, and one before every update.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is being made…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TabArea</name>
    <message>
        <source>Open chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close {title}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close this tab; the chat is kept</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TabComposing</name>
    <message>
        <source>Editing your message. Sending it makes a new branch; the old one stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Editing the answer. The old one stays beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attach text files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>At most {count} texts go with one message.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TabLabel</name>
    <message>
        <source>new</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TabReading</name>
    <message>
        <source>“{words}” was deleted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TextDialog</name>
    <message>
        <source>Copy all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last lines the engine wrote. They hold no text of your chats.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine has written nothing yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ThoughtBar</name>
    <message>
        <source>Copy what it thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide what it thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show what it thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Broke off while it was thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking… {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Broke off after thinking for {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copied</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenMeter</name>
    <message>
        <source>about {tokens} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{tokens} of {context} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {tokens} of {context} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} tokens are kept for the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} tokens too many:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About {count} tokens too many:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it will be refused.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it will be refused, since this message alone is too long.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the oldest messages will be left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>you will be asked what to leave out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the oldest %n message(s) will be left out.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the oldest %n message(s) would be left out; you will be asked.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Transcript</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent along with your message.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer is complete: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer failed: {error}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer was interrupted: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer was stopped: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransferDialog</name>
    <message>
        <source>What could not be taken over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransferWords</name>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attached: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Date</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer was not finished.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) written to {path}</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>You stopped it there. What was imported until then stays.</source>
        <translation type="unfinished"></translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were here already and were not imported.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) held no message and were passed over.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) could not be imported:</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) or file(s) are not in the export; a note stands in their place.</source>
        <translation type="unfinished">
            <numerusform></numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>without a title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No. {number}, “{title}”: {what}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}. Choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You have no permission for {path}. Choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full, so nothing was written to {path}. Free some space, or choose another place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is larger than {megabytes} MB; more is not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is neither a file of chats from Inglenook nor a ChatGPT export (conversations.json, or the .zip that holds it).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file was written by a newer Inglenook (format {version}). Update this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no conversations.json in this .zip file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The .zip file is damaged. Download or copy it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The .zip file needs a password. Unpack it, then import the .json.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The .zip file unpacks to far more than chats ever do. It was not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds more than {most} chats. The others were not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file ends in the middle. What stood before that was imported.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is larger than {megabytes} MB</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is nested deeper than {most} levels</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has more than {most} parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is not valid JSON ({reason})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something is of the wrong kind: {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something is missing: {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>something is there twice: {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a message answers one that is not there: {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its messages follow each other in a circle: {where}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it has no messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it was deleted meanwhile</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it could not be saved: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>What is on your mind?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Explain how a language model picks its next word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a short letter that turns an invitation down kindly</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give me three ideas for dinner with eggs and spinach</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Suggestion: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} is ready. Nothing you write leaves this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{model} is being loaded. Write and send already: your message waits for the model, and several chats can wait at once.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The engine is starting. Write and send already: your message waits for the model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model is loaded. Choose one with File, Load a model folder; what you send waits for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No model can answer now; the notice above says why and what helps. What you send waits.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WindowBody</name>
    <message>
        <source>No chat is open. Choose one at the left, or begin a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>About Inglenook</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Inglenook {version}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chat with language models that run on this computer, with vLLM inside. Nothing leaves the machine unless you ask.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_Candidate</name>
    <message>
        <source>Answer {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use this answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on with answer {number} ({number}, then Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use answer {number}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_Chip</name>
    <message>
        <source>Attached: {name}, {size}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
