<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AlertList</name>
    <message numerus="yes">
        <source>%n muted</source>
        <translation>
            <numerusform>%n muted</numerusform>
            <numerusform>%n muted</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n alert(s) muted; hear of them again</source>
        <translation>
            <numerusform>%n alert muted; hear of it again</numerusform>
            <numerusform>%n alerts muted; hear of them again</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message numerus="yes">
        <source>%n deleted chat(s). They stay here until they are erased.</source>
        <translation>
            <numerusform>%n deleted chat. It stays here until it is erased.</numerusform>
            <numerusform>%n deleted chats. They stay here until they are erased.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Erase %n chat(s) for good?</source>
        <translation>
            <numerusform>Erase %n chat for good?</numerusform>
            <numerusform>Erase %n chats for good?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Erase all %n chat(s) in the bin for good?</source>
        <translation>
            <numerusform>Erase the chat in the bin for good?</numerusform>
            <numerusform>Erase all %n chats in the bin for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatListDesk</name>
    <message numerus="yes">
        <source>%n chat(s) pinned</source>
        <translation>
            <numerusform>%n chat pinned</numerusform>
            <numerusform>%n chats pinned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) unpinned</source>
        <translation>
            <numerusform>%n chat unpinned</numerusform>
            <numerusform>%n chats unpinned</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) archived</source>
        <translation>
            <numerusform>%n chat archived</numerusform>
            <numerusform>%n chats archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the archive</source>
        <translation>
            <numerusform>%n chat taken out of the archive</numerusform>
            <numerusform>%n chats taken out of the archive</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) moved to “{folder}”</source>
        <translation>
            <numerusform>%n chat moved to “{folder}”</numerusform>
            <numerusform>%n chats moved to “{folder}”</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the folder</source>
        <translation>
            <numerusform>%n chat taken out of the folder</numerusform>
            <numerusform>%n chats taken out of the folder</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message numerus="yes">
        <source>Delete %n chat(s)</source>
        <translation>
            <numerusform>Delete %n chat</numerusform>
            <numerusform>Delete %n chats</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DiscoverWords</name>
    <message numerus="yes">
        <source>%n model(s) so far</source>
        <translation>
            <numerusform>%n model so far</numerusform>
            <numerusform>%n models so far</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The hub has %n model(s) by these words</source>
        <translation>
            <numerusform>The hub has %n model by these words</numerusform>
            <numerusform>The hub has %n models by these words</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Downloads</name>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n running</numerusform>
            <numerusform>%n running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n paused</source>
        <translation>
            <numerusform>%n paused</numerusform>
            <numerusform>%n paused</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not finished</source>
        <translation>
            <numerusform>%n not finished</numerusform>
            <numerusform>%n not finished</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n installed</source>
        <translation>
            <numerusform>%n installed</numerusform>
            <numerusform>%n installed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n chat</numerusform>
            <numerusform>%n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All chats: %n</source>
        <translation>
            <numerusform>All chats: %n</numerusform>
            <numerusform>All chats: %n</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message numerus="yes">
        <source>%n chat(s) imported so far</source>
        <translation>
            <numerusform>%n chat imported so far</numerusform>
            <numerusform>%n chats imported so far</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Installed</name>
    <message numerus="yes">
        <source>used %n day(s) ago</source>
        <translation>
            <numerusform>used %n day ago</numerusform>
            <numerusform>used %n days ago</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>InstalledPage</name>
    <message numerus="yes">
        <source>%n model(s) in the bin · {size}</source>
        <translation>
            <numerusform>%n model in the bin · {size}</numerusform>
            <numerusform>%n models in the bin · {size}</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message numerus="yes">
        <source>%n download(s) go on where they were.</source>
        <translation>
            <numerusform>%n download goes on where it was.</numerusform>
            <numerusform>%n downloads go on where they were.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelBinDialog</name>
    <message numerus="yes">
        <source>Delete %n model(s) for good?</source>
        <translation>
            <numerusform>Delete %n model for good?</numerusform>
            <numerusform>Delete %n models for good?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete all %n model(s) in the bin for good?</source>
        <translation>
            <numerusform>Delete the %n model in the bin for good?</numerusform>
            <numerusform>Delete all %n models in the bin for good?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message numerus="yes">
        <source>So does it in %n other open chat(s).</source>
        <translation>
            <numerusform>So does it in %n other open chat.</numerusform>
            <numerusform>So does it in %n other open chats.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n answer(s) under way are interrupted; what is written is kept.</source>
        <translation>
            <numerusform>%n answer under way is interrupted; what is written is kept.</numerusform>
            <numerusform>%n answers under way are interrupted; what is written is kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other chat(s) use {old}; it is unloaded, and {new} answers there from then on.</source>
        <translation>
            <numerusform>%n other chat uses {old}; it is unloaded, and {new} answers there from then on.</numerusform>
            <numerusform>%n other chats use {old}; it is unloaded, and {new} answers there from then on.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other chat(s) keep to {old} and wait until it is loaded again.</source>
        <translation>
            <numerusform>%n other chat keeps to {old} and waits until it is loaded again.</numerusform>
            <numerusform>%n other chats keep to {old} and wait until it is loaded again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Monitor</name>
    <message numerus="yes">
        <source>%n at work</source>
        <translation>
            <numerusform>%n at work</numerusform>
            <numerusform>%n at work</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReplayBar</name>
    <message numerus="yes">
        <source>%n line(s) of the file could not be read.</source>
        <translation>
            <numerusform>%n line of the file could not be read.</numerusform>
            <numerusform>%n lines of the file could not be read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchModel</name>
    <message numerus="yes">
        <source>Show all %n chats</source>
        <translation>
            <numerusform>Show %n chat</numerusform>
            <numerusform>Show all %n chats</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s), perhaps more</source>
        <translation>
            <numerusform>%n message, perhaps more</numerusform>
            <numerusform>%n messages, perhaps more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n message</numerusform>
            <numerusform>%n messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message numerus="yes">
        <source>%n result(s)</source>
        <translation>
            <numerusform>%n result</numerusform>
            <numerusform>%n results</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>TransferWords</name>
    <message numerus="yes">
        <source>%n chat(s) written to {path}</source>
        <translation>
            <numerusform>%n chat written to {path}</numerusform>
            <numerusform>%n chats written to {path}</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported.</source>
        <translation>
            <numerusform>%n chat imported.</numerusform>
            <numerusform>%n chats imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were here already and were not imported.</source>
        <translation>
            <numerusform>%n chat was here already and was not imported.</numerusform>
            <numerusform>%n chats were here already and were not imported.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) held no message and were passed over.</source>
        <translation>
            <numerusform>%n chat held no message and was passed over.</numerusform>
            <numerusform>%n chats held no message and were passed over.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) could not be imported:</source>
        <translation>
            <numerusform>%n chat could not be imported:</numerusform>
            <numerusform>%n chats could not be imported:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) or file(s) are not in the export; a note stands in their place.</source>
        <translation>
            <numerusform>%n picture or file is not in the export; a note stands in its place.</numerusform>
            <numerusform>%n pictures or files are not in the export; a note stands in their place.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message numerus="yes">
        <source>%n chat(s) deleted</source>
        <translation>
            <numerusform>%n chat deleted</numerusform>
            <numerusform>%n chats deleted</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>_AlertRow</name>
    <message numerus="yes">
        <source>For %n minute(s)</source>
        <translation>
            <numerusform>For %n minute</numerusform>
            <numerusform>For %n minutes</numerusform>
        </translation>
    </message>
</context>
</TS>
