<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>&amp;Chat</translation>
    </message>
    <message>
        <source>&amp;Message</source>
        <translation>&amp;Nachricht</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>&amp;Neuer Chat</translation>
    </message>
    <message>
        <source>&amp;Close tab</source>
        <translation>Tab &amp;schließen</translation>
    </message>
    <message>
        <source>&amp;Load a model folder…</source>
        <translation>Modellordner &amp;laden…</translation>
    </message>
    <message>
        <source>Choose the folder of a model on this computer</source>
        <translation>Den Ordner eines Modells auf diesem Rechner wählen</translation>
    </message>
    <message>
        <source>&amp;Unload the model</source>
        <translation>Modell &amp;entladen</translation>
    </message>
    <message>
        <source>Give the model&apos;s memory back</source>
        <translation>Den Speicher des Modells freigeben</translation>
    </message>
    <message>
        <source>&amp;Import chats…</source>
        <translation>Chats &amp;importieren…</translation>
    </message>
    <message>
        <source>Take chats from an export of this program or of ChatGPT</source>
        <translation>Chats aus einem Export dieses Programms oder von ChatGPT übernehmen</translation>
    </message>
    <message>
        <source>&amp;Export this chat…</source>
        <translation>Diesen Chat e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Write this chat to a file: Markdown, JSON or HTML</source>
        <translation>Diesen Chat in eine Datei schreiben: Markdown, JSON oder HTML</translation>
    </message>
    <message>
        <source>Export &amp;all chats…</source>
        <translation>&amp;Alle Chats exportieren…</translation>
    </message>
    <message>
        <source>Write all chats to files</source>
        <translation>Alle Chats in Dateien schreiben</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>Eins&amp;tellungen…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Write a message</source>
        <translation>Nachricht &amp;schreiben</translation>
    </message>
    <message>
        <source>&amp;Attach a text file…</source>
        <translation>Te&amp;xtdatei anhängen…</translation>
    </message>
    <message>
        <source>&amp;Stop the answer</source>
        <translation>Antwort a&amp;nhalten</translation>
    </message>
    <message>
        <source>Settin&amp;gs of this chat…</source>
        <translation>Einstellungen dieses &amp;Chats…</translation>
    </message>
    <message>
        <source>System prompt, sampling, presets and limits of this chat</source>
        <translation>Systemprompt, Sampling, Vorlagen und Grenzen dieses Chats</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen…</translation>
    </message>
    <message>
        <source>P&amp;in or unpin</source>
        <translation>An&amp;heften oder lösen</translation>
    </message>
    <message>
        <source>Keep this chat at the top of the list, or no longer</source>
        <translation>Diesen Chat oben in der Liste halten oder nicht mehr</translation>
    </message>
    <message>
        <source>&amp;Move to a folder…</source>
        <translation>In &amp;Ordner verschieben…</translation>
    </message>
    <message>
        <source>Archi&amp;ve or take back</source>
        <translation>&amp;Archivieren oder zurückholen</translation>
    </message>
    <message>
        <source>Put this chat out of the way, or back into the list</source>
        <translation>Diesen Chat aus dem Weg räumen oder in die Liste zurückholen</translation>
    </message>
    <message>
        <source>&amp;Delete the chat</source>
        <translation>Chat &amp;löschen</translation>
    </message>
    <message>
        <source>Deleted c&amp;hats…</source>
        <translation>&amp;Gelöschte Chats…</translation>
    </message>
    <message>
        <source>Take deleted chats back, or erase them for good</source>
        <translation>Gelöschte Chats zurückholen oder endgültig entfernen</translation>
    </message>
    <message>
        <source>Ne&amp;xt tab</source>
        <translation>Nächster &amp;Tab</translation>
    </message>
    <message>
        <source>&amp;Previous tab</source>
        <translation>&amp;Vorheriger Tab</translation>
    </message>
    <message>
        <source>&amp;Edit the last message you wrote</source>
        <translation>Letzte eigene Nachricht &amp;bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Regenerate the answer</source>
        <translation>Antwort &amp;neu erzeugen</translation>
    </message>
    <message>
        <source>Ask again; the answer there is stays beside the new one</source>
        <translation>Noch einmal fragen; die bisherige Antwort bleibt neben der neuen stehen</translation>
    </message>
    <message>
        <source>&amp;Continue the answer</source>
        <translation>Antwort &amp;fortsetzen</translation>
    </message>
    <message>
        <source>Answer four &amp;ways</source>
        <translation>Vier Ant&amp;worten</translation>
    </message>
    <message>
        <source>Four answers side by side; pick the one to go on from</source>
        <translation>Vier Antworten nebeneinander; wählen Sie die, mit der es weitergeht</translation>
    </message>
    <message>
        <source>&amp;Previous version</source>
        <translation>&amp;Vorige Fassung</translation>
    </message>
    <message>
        <source>&amp;Next version</source>
        <translation>Nächste Fass&amp;ung</translation>
    </message>
    <message>
        <source>&amp;Fork into a new chat</source>
        <translation>In neuen &amp;Chat abzweigen</translation>
    </message>
    <message>
        <source>Copy the chat up to this message into a new tab</source>
        <translation>Den Chat bis zu dieser Nachricht in einen neuen Tab kopieren</translation>
    </message>
    <message>
        <source>&amp;Quote in the reply</source>
        <translation>In der Antwort &amp;zitieren</translation>
    </message>
    <message>
        <source>Begin a reply to the selected text, or to the last answer</source>
        <translation>Eine Antwort auf den markierten Text oder die letzte Antwort beginnen</translation>
    </message>
    <message>
        <source>&amp;Details…</source>
        <translation>&amp;Details…</translation>
    </message>
    <message>
        <source>Model, tokens, speed, seed and why the answer ended</source>
        <translation>Modell, Token, Tempo, Startwert und warum die Antwort endete</translation>
    </message>
    <message>
        <source>De&amp;lete the last message</source>
        <translation>&amp;Letzte Nachricht löschen</translation>
    </message>
    <message>
        <source>C&amp;ommands…</source>
        <translation>&amp;Befehle…</translation>
    </message>
    <message>
        <source>Find any command or chat by typing a part of its name</source>
        <translation>Jeden Befehl und Chat über einen Teil seines Namens finden</translation>
    </message>
    <message>
        <source>&amp;Find in all chats</source>
        <translation>In allen Chats &amp;suchen</translation>
    </message>
    <message>
        <source>Show the &amp;sidebar</source>
        <translation>Seiten&amp;leiste zeigen</translation>
    </message>
    <message>
        <source>Split to the &amp;right</source>
        <translation>Nach &amp;rechts teilen</translation>
    </message>
    <message>
        <source>Move this tab into a pane of its own at the right</source>
        <translation>Diesen Tab in einen eigenen Bereich rechts setzen</translation>
    </message>
    <message>
        <source>Split do&amp;wn</source>
        <translation>Nach &amp;unten teilen</translation>
    </message>
    <message>
        <source>Move this tab into a pane of its own below</source>
        <translation>Diesen Tab in einen eigenen Bereich darunter setzen</translation>
    </message>
    <message>
        <source>Go to the ne&amp;xt pane</source>
        <translation>Zum &amp;nächsten Bereich</translation>
    </message>
    <message>
        <source>Go to the pre&amp;vious pane</source>
        <translation>Zum &amp;vorigen Bereich</translation>
    </message>
    <message>
        <source>Move the tab to the next &amp;pane</source>
        <translation>Tab in den nä&amp;chsten Bereich</translation>
    </message>
    <message>
        <source>&amp;Close the pane</source>
        <translation>Bereich schl&amp;ießen</translation>
    </message>
    <message>
        <source>Its tabs go to the pane beside it</source>
        <translation>Seine Tabs kommen in den Bereich daneben</translation>
    </message>
    <message>
        <source>Colours as the s&amp;ystem</source>
        <translation>Farben wie das S&amp;ystem</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>L&amp;arger text</source>
        <translation>&amp;Größere Schrift</translation>
    </message>
    <message>
        <source>S&amp;maller text</source>
        <translation>Kl&amp;einere Schrift</translation>
    </message>
    <message>
        <source>&amp;Normal text</source>
        <translation>Norm&amp;ale Schrift</translation>
    </message>
    <message>
        <source>&amp;Enter sends, Shift+Enter starts a new line</source>
        <translation>Enter sendet, Umschalt+Enter beginnt eine neue &amp;Zeile</translation>
    </message>
    <message>
        <source>C&amp;trl+Enter sends, Enter starts a new line</source>
        <translation>S&amp;trg+Enter sendet, Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Engine &amp;log</source>
        <translation>Engine-&amp;Protokoll</translation>
    </message>
    <message>
        <source>&amp;About Inglenook</source>
        <translation>Ü&amp;ber Inglenook</translation>
    </message>
</context>
<context>
    <name>AnswerForm</name>
    <message>
        <source>Form of the answer</source>
        <translation>Form der Antwort</translation>
    </message>
    <message>
        <source>Free text</source>
        <translation>Freier Text</translation>
    </message>
    <message>
        <source>JSON of a schema</source>
        <translation>JSON nach einem Schema</translation>
    </message>
    <message>
        <source>A pattern (regular expression)</source>
        <translation>Ein Muster (regulärer Ausdruck)</translation>
    </message>
    <message>
        <source>Schema or pattern</source>
        <translation>Schema oder Muster</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>The kettle is on, and the fire is lit.</source>
        <translation>Das Wasser kocht, und das Feuer brennt.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Another language is there after the next start.</source>
        <translation>Eine andere Sprache gilt ab dem nächsten Start.</translation>
    </message>
</context>
<context>
    <name>AttachmentChips</name>
    <message>
        <source>Show the attachment {name}, {size}</source>
        <translation>Anhang {name}, {size}, anzeigen</translation>
    </message>
</context>
<context>
    <name>AttachmentReader</name>
    <message>
        <source>{name} is not there any more.</source>
        <translation>{name} ist nicht mehr da.</translation>
    </message>
    <message>
        <source>{name} may not be read with your rights.</source>
        <translation>{name} darf mit Ihren Rechten nicht gelesen werden.</translation>
    </message>
    <message>
        <source>{name} could not be read: {reason}.</source>
        <translation>{name} konnte nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 Zeichen</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} Zeichen</translation>
    </message>
    <message>
        <source>{count} thousand characters</source>
        <translation>{count} Tausend Zeichen</translation>
    </message>
    <message>
        <source>{count} million characters</source>
        <translation>{count} Millionen Zeichen</translation>
    </message>
    <message>
        <source>{name} is larger than {limit} MB; attach the part that matters.</source>
        <translation>{name} ist größer als {limit} MB; hängen Sie den Teil an, auf den es ankommt.</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} ist leer.</translation>
    </message>
    <message>
        <source>{name} is a folder; choose the files in it that matter.</source>
        <translation>{name} ist ein Ordner; wählen Sie die Dateien darin, auf die es ankommt.</translation>
    </message>
    <message>
        <source>{name} is a device or a pipe, not a file.</source>
        <translation>{name} ist ein Gerät oder eine Pipe, keine Datei.</translation>
    </message>
    <message>
        <source>{name} is not UTF-8; it was read as Latin-1. Look whether its letters are right.</source>
        <translation>{name} ist kein UTF-8; die Datei wurde als Latin-1 gelesen. Prüfen Sie, ob die Buchstaben stimmen.</translation>
    </message>
    <message>
        <source>{name} is a PDF. Only text can be attached: copy its text instead.</source>
        <translation>{name} ist ein PDF. Nur Text kann angehängt werden: Kopieren Sie stattdessen seinen Text.</translation>
    </message>
    <message>
        <source>{name} is a picture. Models are given text only here.</source>
        <translation>{name} ist ein Bild. Modelle bekommen hier nur Text.</translation>
    </message>
    <message>
        <source>{name} is an office document. Save it as plain text and attach that.</source>
        <translation>{name} ist ein Office-Dokument. Speichern Sie es als reinen Text und hängen Sie diesen an.</translation>
    </message>
    <message>
        <source>{name} is not a text file.</source>
        <translation>{name} ist keine Textdatei.</translation>
    </message>
</context>
<context>
    <name>AttachmentRow</name>
    <message>
        <source>Attached texts</source>
        <translation>Angehängte Texte</translation>
    </message>
    <message>
        <source>At most {count} texts go with one message.</source>
        <translation>Mit einer Nachricht gehen höchstens {count} Texte.</translation>
    </message>
    <message>
        <source>{name} is too much: together the texts would have {size}.</source>
        <translation>{name} ist zu viel: Zusammen hätten die Texte {size}.</translation>
    </message>
    <message>
        <source>being read…</source>
        <translation>wird gelesen…</translation>
    </message>
</context>
<context>
    <name>BinDialog</name>
    <message>
        <source>Deleted chats</source>
        <translation>Gelöschte Chats</translation>
    </message>
    <message>
        <source>Chats are being erased</source>
        <translation>Chats werden entfernt</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Erase for good…</source>
        <translation>Endgültig entfernen…</translation>
    </message>
    <message>
        <source>Empty the bin…</source>
        <translation>Papierkorb leeren…</translation>
    </message>
    <message>
        <source>Looking into the bin…</source>
        <translation>Der Papierkorb wird durchgesehen…</translation>
    </message>
    <message>
        <source>{title}
Changed {when}</source>
        <translation>{title}
Geändert {when}</translation>
    </message>
    <message numerus="yes">
        <source>%n deleted chat(s). They stay here until they are erased.</source>
        <translation>
            <numerusform>%n gelöschter Chat. Er bleibt hier, bis er entfernt wird.</numerusform>
            <numerusform>%n gelöschte Chats. Sie bleiben hier, bis sie entfernt werden.</numerusform>
        </translation>
    </message>
    <message>
        <source>The bin is empty.</source>
        <translation>Der Papierkorb ist leer.</translation>
    </message>
    <message>
        <source>One of these chats is gone already. Choose again.</source>
        <translation>Einer dieser Chats ist schon fort. Wählen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Erase “{title}” for good?</source>
        <translation>„{title}“ endgültig entfernen?</translation>
    </message>
    <message numerus="yes">
        <source>Erase %n chat(s) for good?</source>
        <translation>
            <numerusform>%n Chat endgültig entfernen?</numerusform>
            <numerusform>%n Chats endgültig entfernen?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Erase all %n chat(s) in the bin for good?</source>
        <translation>
            <numerusform>Den Chat im Papierkorb (%n) endgültig entfernen?</numerusform>
            <numerusform>Alle %n Chats im Papierkorb endgültig entfernen?</numerusform>
        </translation>
    </message>
    <message>
        <source>Erase for good</source>
        <translation>Endgültig entfernen</translation>
    </message>
    <message>
        <source>This cannot be undone. Every trace goes from this computer&apos;s store of chats, and the backups that hold them are removed as well.</source>
        <translation>Das lässt sich nicht rückgängig machen. Jede Spur verschwindet aus der Ablage der Chats auf diesem Rechner, und auch die Sicherungen, die sie enthalten, werden gelöscht.</translation>
    </message>
    <message>
        <source>Erase</source>
        <translation>Entfernen</translation>
    </message>
</context>
<context>
    <name>CandidatesView</name>
    <message>
        <source>Answers to choose from</source>
        <translation>Antworten zur Auswahl</translation>
    </message>
    <message>
        <source>Answer {number}</source>
        <translation>Antwort {number}</translation>
    </message>
</context>
<context>
    <name>ChatFacts</name>
    <message>
        <source>Preset: {name}</source>
        <translation>Vorlage: {name}</translation>
    </message>
    <message>
        <source>own system prompt</source>
        <translation>eigener Systemprompt</translation>
    </message>
    <message>
        <source>no system prompt</source>
        <translation>kein Systemprompt</translation>
    </message>
    <message>
        <source>{count} parameters changed</source>
        <translation>{count} Parameter geändert</translation>
    </message>
    <message>
        <source>{name}: default</source>
        <translation>{name}: Standard</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>Präsenzmalus</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>Häufigkeitsmalus</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>Wiederholungsmalus</translation>
    </message>
    <message>
        <source>at most (tokens)</source>
        <translation>höchstens (Token)</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>stop strings</source>
        <translation>Stopptexte</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>JSON-Schema</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>Muster</translation>
    </message>
    <message>
        <source>default system prompt</source>
        <translation>Standard-Systemprompt</translation>
    </message>
    <message>
        <source>at most {count} tokens</source>
        <translation>höchstens {count} Token</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Inglenook</source>
        <translation>Inglenook</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Your chats will stand here.</source>
        <translation>Hier werden Ihre Chats stehen.</translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation>Chat umbenennen</translation>
    </message>
    <message>
        <source>Title:</source>
        <translation>Titel:</translation>
    </message>
</context>
<context>
    <name>ChatListDesk</name>
    <message>
        <source>Move to a folder</source>
        <translation>In einen Ordner verschieben</translation>
    </message>
    <message>
        <source>Folder:</source>
        <translation>Ordner:</translation>
    </message>
    <message>
        <source>Rename the folder</source>
        <translation>Ordner umbenennen</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>Name:</translation>
    </message>
    <message>
        <source>{title} (copy)</source>
        <translation>{title} (Kopie)</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) pinned</source>
        <translation>
            <numerusform>%n Chat angeheftet</numerusform>
            <numerusform>%n Chats angeheftet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) unpinned</source>
        <translation>
            <numerusform>%n Chat gelöst</numerusform>
            <numerusform>%n Chats gelöst</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) archived</source>
        <translation>
            <numerusform>%n Chat archiviert</numerusform>
            <numerusform>%n Chats archiviert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the archive</source>
        <translation>
            <numerusform>%n Chat aus dem Archiv geholt</numerusform>
            <numerusform>%n Chats aus dem Archiv geholt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) moved to “{folder}”</source>
        <translation>
            <numerusform>%n Chat nach „{folder}“ verschoben</numerusform>
            <numerusform>%n Chats nach „{folder}“ verschoben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) taken out of the folder</source>
        <translation>
            <numerusform>%n Chat aus dem Ordner genommen</numerusform>
            <numerusform>%n Chats aus dem Ordner genommen</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder renamed to “{folder}”</source>
        <translation>Ordner in „{folder}“ umbenannt</translation>
    </message>
    <message>
        <source>Folder “{folder}” dissolved</source>
        <translation>Ordner „{folder}“ aufgelöst</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
    <message>
        <source>Folder {name}</source>
        <translation>Ordner {name}</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>Diese Woche</translation>
    </message>
    <message>
        <source>This month</source>
        <translation>Diesen Monat</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Älter</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Folders</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>Archiviert</translation>
    </message>
</context>
<context>
    <name>ChatListSearch</name>
    <message>
        <source>Search all chats</source>
        <translation>Alle Chats durchsuchen</translation>
    </message>
    <message>
        <source>Search all chats and messages</source>
        <translation>Alle Chats und Nachrichten durchsuchen</translation>
    </message>
</context>
<context>
    <name>ChatListView</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
</context>
<context>
    <name>ChatMenu</name>
    <message>
        <source>Close the archive</source>
        <translation>Archiv zuklappen</translation>
    </message>
    <message>
        <source>Open the archive</source>
        <translation>Archiv aufklappen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n chat(s)</source>
        <translation>
            <numerusform>%n Chat löschen</numerusform>
            <numerusform>%n Chats löschen</numerusform>
        </translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Pin to the top</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>Move to a folder</source>
        <translation>In einen Ordner verschieben</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>Neuer Ordner…</translation>
    </message>
    <message>
        <source>Out of the folder</source>
        <translation>Aus dem Ordner nehmen</translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation>Aus dem Archiv holen</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>Archivieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Rename the folder…</source>
        <translation>Ordner umbenennen…</translation>
    </message>
    <message>
        <source>Export its chats…</source>
        <translation>Seine Chats exportieren…</translation>
    </message>
    <message>
        <source>Dissolve the folder, keep its chats</source>
        <translation>Ordner auflösen, Chats behalten</translation>
    </message>
</context>
<context>
    <name>ChatSession</name>
    <message>
        <source>The engine could not finish this answer. Try again.</source>
        <translation>Die Engine konnte diese Antwort nicht beenden. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Write a message first, then send it.</source>
        <translation>Schreiben Sie erst eine Nachricht, dann senden Sie sie.</translation>
    </message>
    <message>
        <source>A message cannot be empty. Delete it instead.</source>
        <translation>Eine Nachricht kann nicht leer sein. Löschen Sie sie stattdessen.</translation>
    </message>
    <message>
        <source>The answer is still on its way. Stop it first, or wait for its end.</source>
        <translation>Die Antwort ist noch unterwegs. Halten Sie sie erst an oder warten Sie ihr Ende ab.</translation>
    </message>
    <message>
        <source>The chat is still being changed. Send it again in a moment.</source>
        <translation>Der Chat wird gerade noch geändert. Senden Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>The beginning of this chat is still being read. Send it again in a moment.</source>
        <translation>Der Anfang dieses Chats wird noch gelesen. Senden Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>Your message was not sent, because it could not be saved: {reason}</source>
        <translation>Ihre Nachricht wurde nicht gesendet, weil sie nicht gespeichert werden konnte: {reason}</translation>
    </message>
    <message>
        <source>The chat could not be changed. {reason}</source>
        <translation>Der Chat konnte nicht geändert werden. {reason}</translation>
    </message>
    <message>
        <source>Your message makes {prompt} tokens with this chat; the model reads {context}, which leaves too little room for an answer. Shorten it, or begin a new chat.</source>
        <translation>Ihre Nachricht ergibt mit diesem Chat {prompt} Token; das Modell liest {context}, und so bleibt zu wenig Platz für eine Antwort. Kürzen Sie sie oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>Your message makes {prompt} tokens with this chat; the model reads {context}. Shorten it, or begin a new chat.</source>
        <translation>Ihre Nachricht ergibt mit diesem Chat {prompt} Token; das Modell liest {context}. Kürzen Sie sie oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>The beginning of this chat could not be read: {reason}</source>
        <translation>Der Anfang dieses Chats konnte nicht gelesen werden: {reason}</translation>
    </message>
</context>
<context>
    <name>ChatSettings</name>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Empty: the model gets no instructions besides the chat</source>
        <translation>Leer: Das Modell bekommt außer dem Chat keine Anweisungen</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Use the default prompt</source>
        <translation>Standardprompt verwenden</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>An empty field leaves it to the model&apos;s own default.</source>
        <translation>Ein leeres Feld überlässt es der Vorgabe des Modells.</translation>
    </message>
    <message>
        <source>Stop strings</source>
        <translation>Stopptexte</translation>
    </message>
    <message>
        <source>Form of the answer</source>
        <translation>Form der Antwort</translation>
    </message>
    <message>
        <source>When the chat is longer than the model reads</source>
        <translation>Wenn der Chat länger ist, als das Modell liest</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Reset everything</source>
        <translation>Alles zurücksetzen</translation>
    </message>
    <message>
        <source>Ask which messages to leave out</source>
        <translation>Fragen, welche Nachrichten wegbleiben</translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>Die ältesten Nachrichten weglassen</translation>
    </message>
    <message>
        <source>Refuse to send</source>
        <translation>Nicht senden</translation>
    </message>
    <message>
        <source>As in the settings: {what}</source>
        <translation>Wie in den Einstellungen: {what}</translation>
    </message>
    <message>
        <source>Settings of “{title}”</source>
        <translation>Einstellungen von „{title}“</translation>
    </message>
</context>
<context>
    <name>ChatTab</name>
    <message>
        <source>Waiting for a place at the model…</source>
        <translation>Wartet auf einen Platz am Modell…</translation>
    </message>
    <message>
        <source>Waiting for the model…</source>
        <translation>Wartet auf das Modell…</translation>
    </message>
    <message>
        <source>Number {position} of {total} in line.</source>
        <translation>Nummer {position} von {total} in der Reihe.</translation>
    </message>
</context>
<context>
    <name>ChatTitle</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
</context>
<context>
    <name>ChattingPage</name>
    <message>
        <source>Chatting</source>
        <translation>Chatten</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line</source>
        <translation>Enter sendet, Umschalt+Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Ctrl+Enter sends, Enter starts a new line</source>
        <translation>Strg+Enter sendet, Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Sending</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Written by the model</source>
        <translation>Vom Modell geschrieben</translation>
    </message>
    <message>
        <source>Your first words</source>
        <translation>Ihre ersten Worte</translation>
    </message>
    <message>
        <source>Titles of new chats</source>
        <translation>Titel neuer Chats</translation>
    </message>
    <message>
        <source>The model writes a title when it has nothing else to do.</source>
        <translation>Das Modell schreibt einen Titel, wenn es sonst nichts zu tun hat.</translation>
    </message>
    <message>
        <source>Ask me what to do</source>
        <translation>Mich fragen</translation>
    </message>
    <message>
        <source>Leave out the oldest messages</source>
        <translation>Die ältesten Nachrichten weglassen</translation>
    </message>
    <message>
        <source>Send nothing</source>
        <translation>Nichts senden</translation>
    </message>
    <message>
        <source>When a chat is longer than the model can read</source>
        <translation>Wenn ein Chat länger ist, als das Modell lesen kann</translation>
    </message>
    <message>
        <source>For chats that have no rule of their own. Nothing is left out silently.</source>
        <translation>Für Chats ohne eigene Regel. Nichts wird stillschweigend weggelassen.</translation>
    </message>
    <message>
        <source>None: new chats start without instructions</source>
        <translation>Keiner: Neue Chats beginnen ohne Anweisungen</translation>
    </message>
    <message>
        <source>System prompt of new chats</source>
        <translation>Systemprompt neuer Chats</translation>
    </message>
    <message>
        <source>Chats that are there already keep theirs.</source>
        <translation>Bestehende Chats behalten ihren.</translation>
    </message>
    <message>
        <source>Take the original one</source>
        <translation>Den ursprünglichen nehmen</translation>
    </message>
    <message>
        <source>Tell me when a long answer is there</source>
        <translation>Melden, wenn eine lange Antwort da ist</translation>
    </message>
    <message>
        <source>Only while you look elsewhere. It names the chat, never what it says.</source>
        <translation>Nur während Sie woanders hinsehen. Genannt wird der Chat, nie sein Inhalt.</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code, {language}</source>
        <translation>Code, {language}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type a command or the title of a chat</source>
        <translation>Befehl oder Titel eines Chats eingeben</translation>
    </message>
    <message>
        <source>Command or chat</source>
        <translation>Befehl oder Chat</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>Passende Einträge</translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation>Nichts passt.</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort anhalten</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Nachricht senden</translation>
    </message>
    <message>
        <source>Enter sends · Shift+Enter starts a new line</source>
        <translation>Enter sendet · Umschalt+Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>Ctrl+Enter sends · Enter starts a new line</source>
        <translation>Strg+Enter sendet · Enter beginnt eine neue Zeile</translation>
    </message>
    <message>
        <source>This is a picture. Models are given text only here.</source>
        <translation>Das ist ein Bild. Modelle bekommen hier nur Text.</translation>
    </message>
</context>
<context>
    <name>ComposerTools</name>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>Attach text files; you can drop them here too</source>
        <translation>Textdateien anhängen; Sie können sie auch hierher ziehen</translation>
    </message>
    <message>
        <source>Settings of this chat: {facts}</source>
        <translation>Einstellungen dieses Chats: {facts}</translation>
    </message>
    <message>
        <source>Settings of this chat</source>
        <translation>Einstellungen dieses Chats</translation>
    </message>
    <message>
        <source>System prompt, preset and sampling of this chat: all defaults</source>
        <translation>Systemprompt, Vorlage und Sampling dieses Chats: alles Standard</translation>
    </message>
</context>
<context>
    <name>ConstraintCheck</name>
    <message>
        <source>This is longer than {count} characters.</source>
        <translation>Das ist länger als {count} Zeichen.</translation>
    </message>
    <message>
        <source>Line {line}, column {column}: {reason}</source>
        <translation>Zeile {line}, Spalte {column}: {reason}</translation>
    </message>
    <message>
        <source>This is nested too deeply.</source>
        <translation>Das ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>A schema is an object: it begins with a brace.</source>
        <translation>Ein Schema ist ein Objekt: Es beginnt mit einer geschweiften Klammer.</translation>
    </message>
    <message>
        <source>There is no type {kind} in JSON.</source>
        <translation>Den Typ {kind} gibt es in JSON nicht.</translation>
    </message>
    <message>
        <source>“properties” must be an object.</source>
        <translation>„properties“ muss ein Objekt sein.</translation>
    </message>
    <message>
        <source>This pattern cannot be read: {reason}</source>
        <translation>Dieses Muster ist nicht lesbar: {reason}</translation>
    </message>
    <message>
        <source>Look-around and references back to a group cannot be used here.</source>
        <translation>Umgebungsprüfungen und Rückverweise auf eine Gruppe sind hier nicht möglich.</translation>
    </message>
</context>
<context>
    <name>Conversation</name>
    <message>
        <source>This chat could not be saved: {reason} It is kept here and tried again.</source>
        <translation>Dieser Chat konnte nicht gespeichert werden: {reason} Er bleibt hier, und es wird erneut versucht.</translation>
    </message>
</context>
<context>
    <name>DatesDialog</name>
    <message>
        <source>Search in a time</source>
        <translation>In einem Zeitraum suchen</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
</context>
<context>
    <name>DesktopNotifications</name>
    <message>
        <source>Show the chat</source>
        <translation>Chat zeigen</translation>
    </message>
</context>
<context>
    <name>EditMode</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>Getting ready</source>
        <translation>Wird vorbereitet</translation>
    </message>
    <message>
        <source>starting the engine&apos;s libraries</source>
        <translation>Bibliotheken der Engine werden gestartet</translation>
    </message>
    <message>
        <source>reading weights</source>
        <translation>Gewichte werden gelesen</translation>
    </message>
    <message>
        <source>measuring memory</source>
        <translation>Speicher wird gemessen</translation>
    </message>
    <message>
        <source>setting memory aside for chats</source>
        <translation>Speicher für Chats wird bereitgestellt</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>Warmlaufen</translation>
    </message>
    <message>
        <source>Engine stopped</source>
        <translation>Engine gestoppt</translation>
    </message>
    <message>
        <source>Engine starting</source>
        <translation>Engine startet</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>Kein Modell geladen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Engine restarting</source>
        <translation>Engine startet neu</translation>
    </message>
    <message>
        <source>Engine failed</source>
        <translation>Engine ausgefallen</translation>
    </message>
</context>
<context>
    <name>EngineBanner</name>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Building the starter model</source>
        <translation>Das Startmodell wird gebaut</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Kein Modell ist geladen.</translation>
    </message>
    <message>
        <source>Messages you send wait until one is.</source>
        <translation>Gesendete Nachrichten warten, bis eines da ist.</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>Show log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>das Modell</translation>
    </message>
    <message>
        <source>Starting the engine</source>
        <translation>Die Engine startet</translation>
    </message>
    <message>
        <source>You can write and send already.</source>
        <translation>Sie können schon schreiben und senden.</translation>
    </message>
    <message>
        <source>Loading {model}</source>
        <translation>{model} wird geladen</translation>
    </message>
    <message>
        <source>The engine stopped. Answers so far are kept.</source>
        <translation>Die Engine ist stehen geblieben. Bisherige Antworten sind gesichert.</translation>
    </message>
    <message>
        <source>Step {step} of {steps}: {stage}</source>
        <translation>Schritt {step} von {steps}: {stage}</translation>
    </message>
    <message>
        <source>It starts again in {seconds} s (try {count}).</source>
        <translation>Sie startet in {seconds} s neu (Versuch {count}).</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>The engine failed.</source>
        <translation>Die Engine ist ausgefallen.</translation>
    </message>
    <message>
        <source>{count} messages wait; nothing is lost.</source>
        <translation>{count} Nachrichten warten; nichts geht verloren.</translation>
    </message>
    <message>
        <source>One message waits; nothing is lost.</source>
        <translation>Eine Nachricht wartet; nichts geht verloren.</translation>
    </message>
</context>
<context>
    <name>EngineDesk</name>
    <message>
        <source>Build the starter model</source>
        <translation>Startmodell bauen</translation>
    </message>
    <message>
        <source>Load the starter model</source>
        <translation>Startmodell laden</translation>
    </message>
    <message>
        <source>Loading another model interrupts them.</source>
        <translation>Ein anderes Modell zu laden unterbricht sie.</translation>
    </message>
    <message>
        <source>{reason} {model} stays loaded.</source>
        <translation>{reason} {model} bleibt geladen.</translation>
    </message>
    <message>
        <source>Unloading the model interrupts them.</source>
        <translation>Das Modell zu entladen unterbricht sie.</translation>
    </message>
    <message>
        <source>Choose the folder of a model</source>
        <translation>Den Ordner eines Modells wählen</translation>
    </message>
    <message>
        <source>Reading the installed package</source>
        <translation>Das installierte Paket wird gelesen</translation>
    </message>
    <message>
        <source>These settings cannot be used: {error}</source>
        <translation>Diese Einstellungen sind nicht möglich: {error}</translation>
    </message>
    <message>
        <source>The starter model could not be built: {reason}</source>
        <translation>Das Startmodell konnte nicht gebaut werden: {reason}</translation>
    </message>
    <message>
        <source>Answers are on their way</source>
        <translation>Antworten sind unterwegs</translation>
    </message>
    <message>
        <source>{count} chats are being answered by {model}.</source>
        <translation>{count} Chats werden gerade von {model} beantwortet.</translation>
    </message>
    <message>
        <source>A chat is being answered by {model}.</source>
        <translation>Ein Chat wird gerade von {model} beantwortet.</translation>
    </message>
    <message>
        <source>{consequence} What is written so far is kept.</source>
        <translation>{consequence} Was bisher geschrieben ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>EnginePage</name>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Model at the start</source>
        <translation>Modell beim Start</translation>
    </message>
    <message>
        <source>Take the starter model</source>
        <translation>Startmodell nehmen</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>A model that you choose is loaded now and at every start.</source>
        <translation>Ein gewähltes Modell wird jetzt und bei jedem Start geladen.</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>Engine-Protokoll</translation>
    </message>
    <message>
        <source>The starter model</source>
        <translation>Das Startmodell</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s)</source>
        <translation>
            <numerusform>%n Chat</numerusform>
            <numerusform>%n Chats</numerusform>
        </translation>
    </message>
    <message>
        <source>“{title}”</source>
        <translation>„{title}“</translation>
    </message>
    <message numerus="yes">
        <source>All chats: %n</source>
        <translation>
            <numerusform>Alle Chats: %n</numerusform>
            <numerusform>Alle Chats: %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>A folder with one file for each chat.</source>
        <translation>Ein Ordner mit einer Datei je Chat.</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>To read and to go on writing elsewhere. The branch that is shown.</source>
        <translation>Zum Lesen und Weiterschreiben anderswo. Der gezeigte Zweig.</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>To read in a browser, to print or to pass on. The branch that is shown.</source>
        <translation>Zum Lesen im Browser, Drucken oder Weitergeben. Der gezeigte Zweig.</translation>
    </message>
    <message>
        <source>JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Everything: all branches, attachments and figures. Can be imported again.</source>
        <translation>Alles: alle Zweige, Anhänge und Zahlen. Kann wieder importiert werden.</translation>
    </message>
    <message>
        <source>Inglenook chats {day}</source>
        <translation>Inglenook-Chats {day}</translation>
    </message>
    <message>
        <source>{done} of {total} chats</source>
        <translation>{done} von {total} Chats</translation>
    </message>
</context>
<context>
    <name>Failures</name>
    <message>
        <source>The engine gave this answer up. The log may say why.</source>
        <translation>Die Engine hat diese Antwort aufgegeben. Das Protokoll sagt vielleicht, warum.</translation>
    </message>
    <message>
        <source>The model is not loaded yet.</source>
        <translation>Das Modell ist noch nicht geladen.</translation>
    </message>
    <message>
        <source>This chat is too large to hand to the engine.</source>
        <translation>Dieser Chat ist zu groß, um ihn der Engine zu geben.</translation>
    </message>
    <message>
        <source>The path of this model is not valid UTF-8. Rename its folder, then choose it again.</source>
        <translation>Der Pfad dieses Modells ist kein gültiges UTF-8. Benennen Sie seinen Ordner um und wählen Sie ihn dann noch einmal.</translation>
    </message>
    <message>
        <source>Shorten the message</source>
        <translation>Nachricht kürzen</translation>
    </message>
    <message>
        <source>Rebuild the starter model</source>
        <translation>Startmodell neu bauen</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>The model could not be loaded</source>
        <translation>Das Modell konnte nicht geladen werden</translation>
    </message>
    <message>
        <source>The answer failed</source>
        <translation>Die Antwort ist misslungen</translation>
    </message>
    <message>
        <source>The engine failed</source>
        <translation>Die Engine ist ausgefallen</translation>
    </message>
    <message>
        <source>The model&apos;s weights fill the memory it may use; nothing is left for the chats&apos; KV cache.</source>
        <translation>Die Gewichte des Modells füllen den erlaubten Speicher; für den KV-Cache der Chats bleibt nichts.</translation>
    </message>
    <message>
        <source>Use more GPU memory</source>
        <translation>Mehr GPU-Speicher nutzen</translation>
    </message>
    <message>
        <source>Choose another model</source>
        <translation>Anderes Modell wählen</translation>
    </message>
    <message>
        <source>The context is too long for the KV memory that is left.</source>
        <translation>Der Kontext ist zu lang für den verbleibenden KV-Speicher.</translation>
    </message>
    <message>
        <source>Load with 8,192 tokens</source>
        <translation>Mit 8.192 Token laden</translation>
    </message>
    <message>
        <source>Other programs use part of the GPU&apos;s memory, so the share asked for is not free.</source>
        <translation>Andere Programme belegen einen Teil des GPU-Speichers, deshalb ist der verlangte Anteil nicht frei.</translation>
    </message>
    <message>
        <source>Use less GPU memory</source>
        <translation>Weniger GPU-Speicher nutzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Another program gave GPU memory back while the model was being measured.</source>
        <translation>Ein anderes Programm hat GPU-Speicher freigegeben, während das Modell vermessen wurde.</translation>
    </message>
    <message>
        <source>There is not enough GPU memory for so many chats at once.</source>
        <translation>Für so viele Chats zugleich reicht der GPU-Speicher nicht.</translation>
    </message>
    <message>
        <source>Load for 32 chats at once</source>
        <translation>Für 32 Chats zugleich laden</translation>
    </message>
    <message>
        <source>The model does not fit in the GPU&apos;s memory.</source>
        <translation>Das Modell passt nicht in den Speicher der GPU.</translation>
    </message>
    <message>
        <source>Load without CUDA graphs</source>
        <translation>Ohne CUDA-Graphen laden</translation>
    </message>
    <message>
        <source>There is not enough free memory (RAM) for the model and its KV cache. Close other programs, or choose a smaller model.</source>
        <translation>Der freie Arbeitsspeicher (RAM) reicht nicht für das Modell und seinen KV-Cache. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Load with less KV space</source>
        <translation>Mit weniger KV-Platz laden</translation>
    </message>
    <message>
        <source>There is no space left where the engine keeps files while it runs (/dev/shm or the folder of temporary files). Free some, then try again.</source>
        <translation>Dort, wo die Engine während des Laufs Dateien ablegt (/dev/shm oder der Ordner für temporäre Dateien), ist kein Platz mehr. Schaffen Sie Platz und versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Show the log</source>
        <translation>Protokoll zeigen</translation>
    </message>
    <message>
        <source>This GPU is too old for bfloat16.</source>
        <translation>Diese GPU ist zu alt für bfloat16.</translation>
    </message>
    <message>
        <source>Load as float16</source>
        <translation>Als float16 laden</translation>
    </message>
    <message>
        <source>This GPU is too old for this model&apos;s quantisation.</source>
        <translation>Diese GPU ist zu alt für die Quantisierung dieses Modells.</translation>
    </message>
    <message>
        <source>This quantisation does not work with the chosen precision.</source>
        <translation>Diese Quantisierung verträgt sich nicht mit der gewählten Genauigkeit.</translation>
    </message>
    <message>
        <source>This model cannot be split over these GPUs.</source>
        <translation>Dieses Modell lässt sich nicht auf diese GPUs aufteilen.</translation>
    </message>
    <message>
        <source>Use one GPU</source>
        <translation>Eine GPU nutzen</translation>
    </message>
    <message>
        <source>No kernel for this model&apos;s quantisation runs on this machine.</source>
        <translation>Auf diesem Rechner läuft kein Kernel für die Quantisierung dieses Modells.</translation>
    </message>
    <message>
        <source>This processor lacks the instructions (AVX-512) that AWQ models need on a CPU.</source>
        <translation>Diesem Prozessor fehlen die Befehle (AVX-512), die AWQ-Modelle auf einer CPU brauchen.</translation>
    </message>
    <message>
        <source>This processor cannot keep the KV cache in FP8.</source>
        <translation>Dieser Prozessor kann den KV-Cache nicht in FP8 halten.</translation>
    </message>
    <message>
        <source>Use the usual KV precision</source>
        <translation>Übliche KV-Genauigkeit nutzen</translation>
    </message>
    <message>
        <source>The model&apos;s weights are missing: its download is not complete.</source>
        <translation>Die Gewichte des Modells fehlen: Es ist nicht vollständig heruntergeladen.</translation>
    </message>
    <message>
        <source>A weight file of this model is damaged. Fetch it again.</source>
        <translation>Eine Gewichtsdatei dieses Modells ist beschädigt. Holen Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>This model&apos;s quantisation is unknown to this engine.</source>
        <translation>Die Quantisierung dieses Modells ist dieser Engine unbekannt.</translation>
    </message>
    <message>
        <source>This engine does not know this model&apos;s architecture.</source>
        <translation>Diese Engine kennt die Architektur dieses Modells nicht.</translation>
    </message>
    <message>
        <source>This model wants to run a program of its own, which Inglenook never allows.</source>
        <translation>Dieses Modell will ein eigenes Programm ausführen; das erlaubt Inglenook nie.</translation>
    </message>
    <message>
        <source>The model&apos;s tokenizer cannot be loaded: its files are missing or damaged.</source>
        <translation>Der Tokenizer des Modells kann nicht geladen werden: Seine Dateien fehlen oder sind beschädigt.</translation>
    </message>
    <message>
        <source>This model has no chat template: it is a base model, not made for chats.</source>
        <translation>Dieses Modell hat keine Chatvorlage: Es ist ein Basismodell, nicht für Chats gemacht.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template does not work with this chat.</source>
        <translation>Die Chatvorlage des Modells kommt mit diesem Chat nicht zurecht.</translation>
    </message>
    <message>
        <source>The context asked for is longer than the model can read.</source>
        <translation>Der verlangte Kontext ist länger, als das Modell lesen kann.</translation>
    </message>
    <message>
        <source>Use the model&apos;s own</source>
        <translation>Den des Modells nehmen</translation>
    </message>
    <message>
        <source>There are fewer GPUs than the settings ask for.</source>
        <translation>Es gibt weniger GPUs, als die Einstellungen verlangen.</translation>
    </message>
    <message>
        <source>The link between the GPUs failed.</source>
        <translation>Die Verbindung zwischen den GPUs ist ausgefallen.</translation>
    </message>
    <message>
        <source>No usable GPU was found: the driver is missing, too old, or the GPU was lost.</source>
        <translation>Keine brauchbare GPU gefunden: Der Treiber fehlt oder ist zu alt, oder die GPU ging verloren.</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import chats</source>
        <translation>Chats importieren</translation>
    </message>
    <message>
        <source>A JSON file that Inglenook exported, or a ChatGPT export: the .zip as it was downloaded, or the conversations.json in it. Nothing is sent anywhere.</source>
        <translation>Eine JSON-Datei aus Inglenook oder ein ChatGPT-Export: die heruntergeladene .zip oder die conversations.json darin. Nichts wird irgendwohin gesendet.</translation>
    </message>
    <message>
        <source>Put them into the folder:</source>
        <translation>In diesen Ordner legen:</translation>
    </message>
    <message>
        <source>as in the file</source>
        <translation>wie in der Datei</translation>
    </message>
    <message>
        <source>Import chats that are here already as copies</source>
        <translation>Schon vorhandene Chats als Kopien importieren</translation>
    </message>
    <message>
        <source>Otherwise a chat with the title and the date of one here is passed over.</source>
        <translation>Sonst wird ein Chat mit Titel und Datum eines vorhandenen übergangen.</translation>
    </message>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Chats (*.json *.zip)</source>
        <translation>Chats (*.json *.zip)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported so far</source>
        <translation>
            <numerusform>%n Chat bisher importiert</numerusform>
            <numerusform>%n Chats bisher importiert</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Inglenook</name>
    <message>
        <source>Today&apos;s backup of your chats could not be made. {reason}</source>
        <translation>Die heutige Sicherung Ihrer Chats ist nicht gelungen. {reason}</translation>
    </message>
</context>
<context>
    <name>LinkDialog</name>
    <message>
        <source>Open a link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <source>Open a page of {host} in your browser?</source>
        <translation>Eine Seite von {host} im Browser öffnen?</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>Im Browser öffnen</translation>
    </message>
    <message>
        <source>Only web addresses (http, https) are opened. This one is not:</source>
        <translation>Nur Webadressen (http, https) werden geöffnet. Diese ist keine:</translation>
    </message>
    <message>
        <source>“{user}” is only a user name here: the page is one of {host}.</source>
        <translation>„{user}“ ist hier nur ein Benutzername: Die Seite gehört zu {host}.</translation>
    </message>
    <message>
        <source>The name is written in other letters ({name}), which may look like those of a name you know.</source>
        <translation>Der Name ist in anderen Buchstaben geschrieben ({name}), die wie die eines bekannten Namens aussehen können.</translation>
    </message>
    <message>
        <source>It leads to this computer or to your own network.</source>
        <translation>Sie führt zu diesem Rechner oder in Ihr eigenes Netz.</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Something went wrong</source>
        <translation>Etwas ist schiefgegangen</translation>
    </message>
    <message>
        <source>Inglenook met a fault of its own and goes on: {summary}
Your chats are saved. If it comes back, copy this for a report.</source>
        <translation>Inglenook ist auf einen eigenen Fehler gestoßen und läuft weiter: {summary}
Ihre Chats sind gesichert. Tritt er wieder auf, kopieren Sie dies für einen Bericht.</translation>
    </message>
    <message>
        <source>{reason} Until then nothing is sent; what you write here is kept.</source>
        <translation>{reason} Bis dahin wird nichts gesendet; was Sie hier schreiben, bleibt erhalten.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Copy what there is so far</source>
        <translation>Bisheriges kopieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Answer once more</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Answer this message</source>
        <translation>Diese Nachricht beantworten</translation>
    </message>
    <message>
        <source>Go on from here in a new tab</source>
        <translation>Von hier in einem neuen Tab weiter</translation>
    </message>
    <message>
        <source>Several answers side by side</source>
        <translation>Mehrere Antworten nebeneinander</translation>
    </message>
    <message>
        <source>{count} answers</source>
        <translation>{count} Antworten</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Let it go on writing</source>
        <translation>Weiterschreiben lassen</translation>
    </message>
</context>
<context>
    <name>MessageDetails</name>
    <message>
        <source>Details of this answer</source>
        <translation>Details dieser Antwort</translation>
    </message>
    <message>
        <source>Copy as run card</source>
        <translation>Als Laufkarte kopieren</translation>
    </message>
    <message>
        <source>All that it takes to make this answer again, as Markdown</source>
        <translation>Alles, was es braucht, um diese Antwort zu wiederholen, als Markdown</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>Number format</source>
        <translation>Zahlenformat</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Chatvorlage</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>{tokens}, {cached} of them from the cache</source>
        <translation>{tokens}, davon {cached} aus dem Cache</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>Older messages not read</source>
        <translation>Ältere nicht gelesen</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>First token after</source>
        <translation>Erstes Token nach</translation>
    </message>
    <message>
        <source>Thought for</source>
        <translation>Nachgedacht</translation>
    </message>
    <message>
        <source>All of it took</source>
        <translation>Alles zusammen</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>random</source>
        <translation>zufällig</translation>
    </message>
</context>
<context>
    <name>MessageFooter</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Wartet, bis sie dran ist</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>Liest den Prompt</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreibt</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Interrupted before it was complete</source>
        <translation>Unterbrochen, bevor sie fertig war</translation>
    </message>
    <message>
        <source>This answer failed. Try again.</source>
        <translation>Diese Antwort ist misslungen. Versuchen Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Ended at the length limit</source>
        <translation>An der Längengrenze beendet</translation>
    </message>
    <message>
        <source>Ended: the context is full</source>
        <translation>Beendet: Der Kontext ist voll</translation>
    </message>
    <message>
        <source>Ended at the stop string “{stop}”</source>
        <translation>Beim Stopptext „{stop}“ beendet</translation>
    </message>
    <message>
        <source>1 older message not read by the model</source>
        <translation>1 ältere Nachricht las das Modell nicht</translation>
    </message>
    <message>
        <source>{count} older messages not read by the model</source>
        <translation>{count} ältere Nachrichten las das Modell nicht</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>first token {wait} s</source>
        <translation>erstes Token {wait} s</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Copy this answer</source>
        <translation>Diese Antwort kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>MessageFrame</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>{speaker}: {text}</source>
        <translation>{speaker}: {text}</translation>
    </message>
</context>
<context>
    <name>MessageToolbar</name>
    <message>
        <source>More to do with this message</source>
        <translation>Mehr zu dieser Nachricht</translation>
    </message>
</context>
<context>
    <name>MeterView</name>
    <message>
        <source>What the model reads with your next message, of what it can read at once</source>
        <translation>Was das Modell mit Ihrer nächsten Nachricht liest, von dem, was es auf einmal lesen kann</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation>Diesen Hinweis schließen</translation>
    </message>
</context>
<context>
    <name>Notifier</name>
    <message>
        <source>The answer is there.</source>
        <translation>Die Antwort ist da.</translation>
    </message>
    <message>
        <source>The answer failed.</source>
        <translation>Die Antwort ist misslungen.</translation>
    </message>
</context>
<context>
    <name>NumberFields</name>
    <message>
        <source>{name}: back to the model&apos;s default</source>
        <translation>{name}: zurück zur Vorgabe des Modells</translation>
    </message>
    <message>
        <source>Back to the model&apos;s default</source>
        <translation>Zurück zur Vorgabe des Modells</translation>
    </message>
    <message>
        <source>Back to the model&apos;s default: {value}</source>
        <translation>Zurück zur Vorgabe des Modells: {value}</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>How freely the model chooses: 0 always takes the likeliest word</source>
        <translation>Wie frei das Modell wählt: 0 nimmt immer das wahrscheinlichste Wort</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the likeliest words whose shares add up to this are considered</source>
        <translation>Nur die wahrscheinlichsten Wörter, deren Anteile zusammen dies ergeben, kommen in Frage</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only this many of the likeliest words are considered; 0: all</source>
        <translation>Nur so viele der wahrscheinlichsten Wörter kommen in Frage; 0: alle</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Words below this share of the likeliest one are left out</source>
        <translation>Wörter unter diesem Anteil des wahrscheinlichsten fallen weg</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Präsenzmalus</translation>
    </message>
    <message>
        <source>Above 0: words that were used once already become less likely</source>
        <translation>Über 0: Schon benutzte Wörter werden weniger wahrscheinlich</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Häufigkeitsmalus</translation>
    </message>
    <message>
        <source>Above 0: the more often a word was used, the less likely it becomes</source>
        <translation>Über 0: Je öfter ein Wort benutzt wurde, desto unwahrscheinlicher wird es</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsmalus</translation>
    </message>
    <message>
        <source>Above 1: words of the chat so far become less likely</source>
        <translation>Über 1: Wörter aus dem bisherigen Chat werden weniger wahrscheinlich</translation>
    </message>
    <message>
        <source>Longest answer (tokens)</source>
        <translation>Längste Antwort (Token)</translation>
    </message>
    <message>
        <source>An answer ends here at the latest</source>
        <translation>Spätestens hier endet eine Antwort</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>The same seed and settings give the same answer again</source>
        <translation>Derselbe Startwert ergibt mit denselben Einstellungen wieder dieselbe Antwort</translation>
    </message>
</context>
<context>
    <name>OverflowDialog</name>
    <message>
        <source>This chat is too long for the model</source>
        <translation>Dieser Chat ist zu lang für das Modell</translation>
    </message>
    <message>
        <source>Always do this in this chat</source>
        <translation>In diesem Chat immer so verfahren</translation>
    </message>
    <message>
        <source>With your message this chat has {prompt} tokens; the model reads {context} at once.</source>
        <translation>Mit Ihrer Nachricht hat dieser Chat {prompt} Token; das Modell liest {context} auf einmal.</translation>
    </message>
    <message>
        <source>Of these {reserve} are kept for the answer.</source>
        <translation>Davon sind {reserve} für die Antwort bestimmt.</translation>
    </message>
    <message>
        <source>It fits if the oldest message is left out. It stays in the chat; the model does not read it for this answer:</source>
        <translation>Es passt, wenn die älteste Nachricht wegbleibt. Sie bleibt im Chat; das Modell liest sie nur für diese Antwort nicht:</translation>
    </message>
    <message>
        <source>It fits if the oldest {count} messages are left out. They stay in the chat; the model does not read them for this answer:</source>
        <translation>Es passt, wenn die ältesten {count} Nachrichten wegbleiben. Sie bleiben im Chat; das Modell liest sie nur für diese Antwort nicht:</translation>
    </message>
    <message>
        <source>Tokens before: {before}. Without them: {after} of {context}.</source>
        <translation>Token vorher: {before}. Ohne sie: {after} von {context}.</translation>
    </message>
    <message>
        <source>No older message can be left out. Sent as it is, {room} tokens are left for the answer; it may break off.</source>
        <translation>Keine ältere Nachricht kann wegbleiben. So gesendet bleiben {room} Token für die Antwort; sie kann abbrechen.</translation>
    </message>
    <message>
        <source>Messages that would be left out</source>
        <translation>Nachrichten, die wegbleiben würden</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>… und {count} weitere</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>{who}: {words}</source>
        <translation>{who}: {words}</translation>
    </message>
    <message>
        <source>Don&apos;t send</source>
        <translation>Nicht senden</translation>
    </message>
    <message>
        <source>Send anyway</source>
        <translation>Trotzdem senden</translation>
    </message>
    <message>
        <source>All of it, with little room for the answer</source>
        <translation>Alles, mit wenig Platz für die Antwort</translation>
    </message>
    <message>
        <source>Leave them out and send</source>
        <translation>Weglassen und senden</translation>
    </message>
</context>
<context>
    <name>PageMenu</name>
    <message>
        <source>Open link…</source>
        <translation>Link öffnen…</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Linkadresse kopieren</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy message as Markdown</source>
        <translation>Nachricht als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy what it thought</source>
        <translation>Gedanken kopieren</translation>
    </message>
    <message>
        <source>Quote in your reply</source>
        <translation>In der Antwort zitieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>PaletteModel</name>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
</context>
<context>
    <name>ParameterFields</name>
    <message>
        <source>a whole number</source>
        <translation>eine ganze Zahl</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>Write {what}.</source>
        <translation>Schreiben Sie {what}.</translation>
    </message>
    <message>
        <source>{value} (the model&apos;s own)</source>
        <translation>{value} (vom Modell)</translation>
    </message>
    <message>
        <source>as much as fits</source>
        <translation>so viel wie passt</translation>
    </message>
    <message>
        <source>another each time</source>
        <translation>jedes Mal ein anderer</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>More than {low}, at most {high}.</source>
        <translation>Mehr als {low}, höchstens {high}.</translation>
    </message>
    <message>
        <source>From {low} to {high}.</source>
        <translation>Von {low} bis {high}.</translation>
    </message>
</context>
<context>
    <name>PasteOffer</name>
    <message>
        <source>You pasted {size}.</source>
        <translation>Sie haben {size} eingefügt.</translation>
    </message>
    <message>
        <source>Attach as text file</source>
        <translation>Als Textdatei anhängen</translation>
    </message>
    <message>
        <source>Keep in the message</source>
        <translation>In der Nachricht lassen</translation>
    </message>
    <message>
        <source>What you pasted is too large for a message: {size}.</source>
        <translation>Das Eingefügte ist zu groß für eine Nachricht: {size}.</translation>
    </message>
    <message>
        <source>What you pasted ({size}) was attached as a text.</source>
        <translation>Das Eingefügte ({size}) wurde als Text angehängt.</translation>
    </message>
    <message>
        <source>Put it into the message instead</source>
        <translation>Stattdessen in die Nachricht setzen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Pasted text.txt</source>
        <translation>Eingefügter Text.txt</translation>
    </message>
    <message>
        <source>Pasted text {number}.txt</source>
        <translation>Eingefügter Text {number}.txt</translation>
    </message>
</context>
<context>
    <name>PresetRow</name>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Save as new…</source>
        <translation>Als neue speichern…</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Keep the chat&apos;s settings in this preset</source>
        <translation>Die Einstellungen des Chats in dieser Vorlage behalten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>No preset</source>
        <translation>Keine Vorlage</translation>
    </message>
    <message>
        <source>Save as a new preset</source>
        <translation>Als neue Vorlage speichern</translation>
    </message>
    <message>
        <source>Name of the preset:</source>
        <translation>Name der Vorlage:</translation>
    </message>
    <message>
        <source>The preset “{name}” was deleted. The chat keeps its settings.</source>
        <translation>Die Vorlage „{name}“ wurde gelöscht. Der Chat behält seine Einstellungen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>The presets could not be saved: {reason}</source>
        <translation>Die Vorlagen konnten nicht gespeichert werden: {reason}</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Coder</source>
        <translation>Programmieren</translation>
    </message>
    <message>
        <source>Writer</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Translator</source>
        <translation>Übersetzen</translation>
    </message>
    <message>
        <source>Summariser</source>
        <translation>Zusammenfassen</translation>
    </message>
    <message>
        <source>Tutor</source>
        <translation>Nachhilfe</translation>
    </message>
    <message>
        <source>Precise (JSON)</source>
        <translation>Genau (JSON)</translation>
    </message>
</context>
<context>
    <name>SearchFilterBar</name>
    <message>
        <source>Limit the search</source>
        <translation>Suche eingrenzen</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>All folders</source>
        <translation>Alle Ordner</translation>
    </message>
    <message>
        <source>Outside of folders</source>
        <translation>Außerhalb von Ordnern</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>Alle Modelle</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>From … to …</source>
        <translation>Von … bis …</translation>
    </message>
    <message>
        <source>Only in the chat in front</source>
        <translation>Nur im Chat im Vordergrund</translation>
    </message>
    <message>
        <source>Archived chats too</source>
        <translation>Auch archivierte Chats</translation>
    </message>
    <message>
        <source>Search everything</source>
        <translation>Alles durchsuchen</translation>
    </message>
    <message>
        <source>Remove the limit: {limit}</source>
        <translation>Eingrenzung aufheben: {limit}</translation>
    </message>
    <message>
        <source>Chat: {title}</source>
        <translation>Chat: {title}</translation>
    </message>
    <message>
        <source>Folder: {name}</source>
        <translation>Ordner: {name}</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modell: {name}</translation>
    </message>
    <message>
        <source>Without the archive</source>
        <translation>Ohne das Archiv</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Last year</source>
        <translation>Letztes Jahr</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>Jederzeit</translation>
    </message>
    <message>
        <source>Until {day}</source>
        <translation>Bis {day}</translation>
    </message>
    <message>
        <source>Since {day}</source>
        <translation>Seit {day}</translation>
    </message>
    <message>
        <source>{first} to {last}</source>
        <translation>{first} bis {last}</translation>
    </message>
</context>
<context>
    <name>SearchModel</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message numerus="yes">
        <source>Show all %n chats</source>
        <translation>
            <numerusform>%n Chat zeigen</numerusform>
            <numerusform>Alle %n Chats zeigen</numerusform>
        </translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n message(s), perhaps more</source>
        <translation>
            <numerusform>%n Nachricht, vielleicht mehr</numerusform>
            <numerusform>%n Nachrichten, vielleicht mehr</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s)</source>
        <translation>
            <numerusform>%n Nachricht</numerusform>
            <numerusform>%n Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>{shown} of {total} messages</source>
        <translation>{shown} von {total} Nachrichten</translation>
    </message>
    <message>
        <source>{shown} of more than {total} messages</source>
        <translation>{shown} von mehr als {total} Nachrichten</translation>
    </message>
</context>
<context>
    <name>SearchPanel</name>
    <message>
        <source>The search did not work. {reason}</source>
        <translation>Die Suche ist misslungen. {reason}</translation>
    </message>
    <message numerus="yes">
        <source>%n result(s)</source>
        <translation>
            <numerusform>%n Treffer</numerusform>
            <numerusform>%n Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>No title holds these words.</source>
        <translation>Kein Titel enthält diese Wörter.</translation>
    </message>
    <message>
        <source>Nothing holds all these words within the limits above.</source>
        <translation>In den Grenzen oben enthält nichts alle diese Wörter.</translation>
    </message>
    <message>
        <source>No chat and no message holds all these words.</source>
        <translation>Kein Chat und keine Nachricht enthält alle diese Wörter.</translation>
    </message>
</context>
<context>
    <name>SearchResults</name>
    <message>
        <source>Results of the search</source>
        <translation>Ergebnisse der Suche</translation>
    </message>
</context>
<context>
    <name>SessionHub</name>
    <message>
        <source>Branch of {title}</source>
        <translation>Zweig von {title}</translation>
    </message>
    <message>
        <source>Your chats are still being opened. Send it again in a moment.</source>
        <translation>Ihre Chats werden noch geöffnet. Senden Sie gleich noch einmal.</translation>
    </message>
    <message>
        <source>Chats cannot be saved, so nothing is sent. {reason}</source>
        <translation>Chats können nicht gespeichert werden, deshalb wird nichts gesendet. {reason}</translation>
    </message>
</context>
<context>
    <name>SessionState</name>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>liest</translation>
    </message>
    <message>
        <source>writing</source>
        <translation>schreibt</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>misslungen</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages of settings</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
</context>
<context>
    <name>SiblingStepper</name>
    <message>
        <source>The version before</source>
        <translation>Die vorige Fassung</translation>
    </message>
    <message>
        <source>The next version</source>
        <translation>Die nächste Fassung</translation>
    </message>
    <message>
        <source>Version {place} of {count}</source>
        <translation>Fassung {place} von {count}</translation>
    </message>
</context>
<context>
    <name>SidewaysBar</name>
    <message>
        <source>Scroll sideways</source>
        <translation>Seitwärts rollen</translation>
    </message>
</context>
<context>
    <name>SplitArea</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Pane {number} of {count}</source>
        <translation>Bereich {number} von {count}</translation>
    </message>
    <message>
        <source>Go to the next pane; all of them are shown in a larger window</source>
        <translation>Zum nächsten Bereich; in einem größeren Fenster sind alle zu sehen</translation>
    </message>
    <message>
        <source>Go to the next pane</source>
        <translation>Zum nächsten Bereich</translation>
    </message>
</context>
<context>
    <name>StarterRebuild</name>
    <message>
        <source>it ended with code {code}</source>
        <translation>Ende mit Code {code}</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Engine state</source>
        <translation>Zustand der Engine</translation>
    </message>
    <message>
        <source>Speed of all answers together</source>
        <translation>Tempo aller Antworten zusammen</translation>
    </message>
    <message>
        <source>KV cache in use</source>
        <translation>Genutzter KV-Cache</translation>
    </message>
    <message>
        <source>Memory of the engine</source>
        <translation>Speicher der Engine</translation>
    </message>
    <message>
        <source>{rate} tokens/s</source>
        <translation>{rate} Token/s</translation>
    </message>
    <message>
        <source>KV {percent} % · {used} of {total} blocks</source>
        <translation>KV {percent} % · {used} von {total} Blöcken</translation>
    </message>
    <message>
        <source>Memory {size}</source>
        <translation>Speicher {size}</translation>
    </message>
    <message>
        <source>{count} waiting for the model</source>
        <translation>{count} warten auf das Modell</translation>
    </message>
</context>
<context>
    <name>StopReason</name>
    <message>
        <source>You stopped it.</source>
        <translation>Sie haben sie angehalten.</translation>
    </message>
    <message>
        <source>It was interrupted: the engine or the window went away.</source>
        <translation>Sie wurde unterbrochen: Die Engine oder das Fenster war fort.</translation>
    </message>
    <message>
        <source>It failed.</source>
        <translation>Sie ist misslungen.</translation>
    </message>
    <message>
        <source>It met the stop string “{stop}”.</source>
        <translation>Sie traf auf den Stopptext „{stop}“.</translation>
    </message>
    <message>
        <source>The model ended its answer.</source>
        <translation>Das Modell hat seine Antwort beendet.</translation>
    </message>
    <message>
        <source>It reached the longest answer that this chat allows.</source>
        <translation>Sie erreichte die längste Antwort, die dieser Chat erlaubt.</translation>
    </message>
    <message>
        <source>The context is full: the model can read no more.</source>
        <translation>Der Kontext ist voll: Das Modell kann nicht mehr lesen.</translation>
    </message>
</context>
<context>
    <name>StopStrings</name>
    <message>
        <source>Stop strings, one a line</source>
        <translation>Stopptexte, einer je Zeile</translation>
    </message>
    <message>
        <source>One a line; the answer ends before the first of them. \n stands for a line break, \t for a tab, \\ for a backslash.</source>
        <translation>Einer je Zeile; die Antwort endet vor dem ersten davon. \n steht für einen Zeilenumbruch, \t für einen Tabulator, \\ für einen Backslash.</translation>
    </message>
</context>
<context>
    <name>StoragePage</name>
    <message>
        <source>Chats and storage</source>
        <translation>Chats und Ablage</translation>
    </message>
    <message>
        <source>Your chats are kept in</source>
        <translation>Ihre Chats liegen in</translation>
    </message>
    <message>
        <source>They take</source>
        <translation>Sie belegen</translation>
    </message>
    <message>
        <source>Last backup</source>
        <translation>Letzte Sicherung</translation>
    </message>
    <message>
        <source>A backup is made each day, seven are kept, and one before every update.</source>
        <translation>Jeden Tag entsteht eine Sicherung, sieben bleiben erhalten, dazu eine vor jedem Update.</translation>
    </message>
    <message>
        <source>Back up now</source>
        <translation>Jetzt sichern</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>It is being made…</source>
        <translation>Sie entsteht gerade…</translation>
    </message>
</context>
<context>
    <name>TabArea</name>
    <message>
        <source>Open chats</source>
        <translation>Offene Chats</translation>
    </message>
    <message>
        <source>Close {title}</source>
        <translation>{title} schließen</translation>
    </message>
    <message>
        <source>Close this tab; the chat is kept</source>
        <translation>Diesen Tab schließen; der Chat bleibt erhalten</translation>
    </message>
</context>
<context>
    <name>TabAttaching</name>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>At most {count} texts go with one message.</source>
        <translation>Mit einer Nachricht gehen höchstens {count} Texte.</translation>
    </message>
    <message>
        <source>And {count} more could not be attached.</source>
        <translation>Weitere {count} konnten nicht angehängt werden.</translation>
    </message>
    <message>
        <source>{size}; the first {shown} are shown</source>
        <translation>{size}; die ersten {shown} sind zu sehen</translation>
    </message>
</context>
<context>
    <name>TabComposing</name>
    <message>
        <source>Editing your message. Sending it makes a new branch; the old one stays.</source>
        <translation>Sie bearbeiten Ihre Nachricht. Senden ergibt einen neuen Zweig; der alte bleibt.</translation>
    </message>
    <message>
        <source>Editing the answer. The old one stays beside it.</source>
        <translation>Sie bearbeiten die Antwort. Die alte bleibt daneben.</translation>
    </message>
    <message>
        <source>The message is not there any more. Press Escape to go on.</source>
        <translation>Die Nachricht ist nicht mehr da. Drücken Sie Escape, um fortzufahren.</translation>
    </message>
</context>
<context>
    <name>TabReading</name>
    <message>
        <source>“{words}” was deleted.</source>
        <translation>„{words}“ wurde gelöscht.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>TextDialog</name>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>The last lines the engine wrote. They hold no text of your chats.</source>
        <translation>Die letzten Zeilen der Engine. Sie enthalten keinen Text Ihrer Chats.</translation>
    </message>
    <message>
        <source>The engine has written nothing yet.</source>
        <translation>Die Engine hat noch nichts geschrieben.</translation>
    </message>
    <message>
        <source>Engine log</source>
        <translation>Engine-Protokoll</translation>
    </message>
</context>
<context>
    <name>ThoughtBar</name>
    <message>
        <source>Copy what it thought</source>
        <translation>Gedanken kopieren</translation>
    </message>
    <message>
        <source>Hide what it thought</source>
        <translation>Gedanken verbergen</translation>
    </message>
    <message>
        <source>Show what it thought</source>
        <translation>Gedanken zeigen</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Broke off while it was thinking</source>
        <translation>Beim Nachdenken abgebrochen</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>Nachgedacht</translation>
    </message>
    <message>
        <source>Thinking… {time}</source>
        <translation>Denkt nach… {time}</translation>
    </message>
    <message>
        <source>Broke off after thinking for {time}</source>
        <translation>Nach {time} Nachdenken abgebrochen</translation>
    </message>
    <message>
        <source>Thought for {time}</source>
        <translation>{time} nachgedacht</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} min {seconds} s</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>TokenMeter</name>
    <message>
        <source>about {tokens} tokens</source>
        <translation>etwa {tokens} Token</translation>
    </message>
    <message>
        <source>{tokens} of {context} tokens</source>
        <translation>{tokens} von {context} Token</translation>
    </message>
    <message>
        <source>about {tokens} of {context} tokens</source>
        <translation>etwa {tokens} von {context} Token</translation>
    </message>
    <message>
        <source>{count} tokens are kept for the answer.</source>
        <translation>{count} Token sind für die Antwort bestimmt.</translation>
    </message>
    <message>
        <source>{count} tokens too many:</source>
        <translation>{count} Token zu viel:</translation>
    </message>
    <message>
        <source>About {count} tokens too many:</source>
        <translation>Etwa {count} Token zu viel:</translation>
    </message>
    <message>
        <source>it will be refused.</source>
        <translation>sie wird abgelehnt.</translation>
    </message>
    <message>
        <source>it will be refused, since this message alone is too long.</source>
        <translation>sie wird abgelehnt, denn schon diese Nachricht allein ist zu lang.</translation>
    </message>
    <message>
        <source>the oldest messages will be left out.</source>
        <translation>die ältesten Nachrichten bleiben weg.</translation>
    </message>
    <message>
        <source>you will be asked what to leave out.</source>
        <translation>Sie werden gefragt, was wegbleiben soll.</translation>
    </message>
    <message>
        <source>the oldest message will be left out.</source>
        <translation>die älteste Nachricht bleibt weg.</translation>
    </message>
    <message>
        <source>the oldest {count} messages will be left out.</source>
        <translation>die ältesten {count} Nachrichten bleiben weg.</translation>
    </message>
    <message>
        <source>the oldest message would be left out; you will be asked.</source>
        <translation>die älteste Nachricht bliebe weg; Sie werden gefragt.</translation>
    </message>
    <message>
        <source>the oldest {count} messages would be left out; you will be asked.</source>
        <translation>die ältesten {count} Nachrichten blieben weg; Sie werden gefragt.</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Transcript</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Sent along with your message.</source>
        <translation>Ging mit Ihrer Nachricht.</translation>
    </message>
    <message>
        <source>The answer is complete: {text}</source>
        <translation>Die Antwort ist fertig: {text}</translation>
    </message>
    <message>
        <source>The answer failed: {error}</source>
        <translation>Die Antwort ist misslungen: {error}</translation>
    </message>
    <message>
        <source>The answer was interrupted: {text}</source>
        <translation>Die Antwort wurde unterbrochen: {text}</translation>
    </message>
    <message>
        <source>The answer was stopped: {text}</source>
        <translation>Die Antwort wurde angehalten: {text}</translation>
    </message>
    <message>
        <source>Go to the end</source>
        <translation>Zum Ende</translation>
    </message>
</context>
<context>
    <name>TransferDialog</name>
    <message>
        <source>What could not be taken over</source>
        <translation>Was nicht übernommen werden konnte</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>What went wrong</source>
        <translation>Was schiefgegangen ist</translation>
    </message>
</context>
<context>
    <name>TransferWords</name>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Gedankengang</translation>
    </message>
    <message>
        <source>Attached: {name}</source>
        <translation>Angehängt: {name}</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>This answer was not finished.</source>
        <translation>Diese Antwort wurde nicht beendet.</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) written to {path}</source>
        <translation>
            <numerusform>%n Chat nach {path} geschrieben</numerusform>
            <numerusform>%n Chats nach {path} geschrieben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) imported.</source>
        <translation>
            <numerusform>%n Chat importiert.</numerusform>
            <numerusform>%n Chats importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>You stopped it there. What was imported until then stays.</source>
        <translation>Sie haben dort angehalten. Was bis dahin importiert war, bleibt.</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) were here already and were not imported.</source>
        <translation>
            <numerusform>%n Chat war schon hier und wurde nicht importiert.</numerusform>
            <numerusform>%n Chats waren schon hier und wurden nicht importiert.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) held no message and were passed over.</source>
        <translation>
            <numerusform>%n Chat enthielt keine Nachricht und wurde übergangen.</numerusform>
            <numerusform>%n Chats enthielten keine Nachricht und wurden übergangen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) could not be imported:</source>
        <translation>
            <numerusform>%n Chat konnte nicht importiert werden:</numerusform>
            <numerusform>%n Chats konnten nicht importiert werden:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n picture(s) or file(s) are not in the export; a note stands in their place.</source>
        <translation>
            <numerusform>%n Bild oder Datei ist nicht im Export; an der Stelle steht ein Hinweis.</numerusform>
            <numerusform>%n Bilder oder Dateien sind nicht im Export; an ihrer Stelle steht ein Hinweis.</numerusform>
        </translation>
    </message>
    <message>
        <source>without a title</source>
        <translation>ohne Titel</translation>
    </message>
    <message>
        <source>No. {number}, “{title}”: {what}</source>
        <translation>Nr. {number}, „{title}“: {what}</translation>
    </message>
    <message>
        <source>There is no file {path}.</source>
        <translation>Die Datei {path} gibt es nicht.</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation>{path} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}. Choose another place.</source>
        <translation>{path} kann nicht geschrieben werden: {reason}. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>You have no permission for {path}. Choose another place.</source>
        <translation>Sie haben keine Rechte für {path}. Wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The disk is full, so nothing was written to {path}. Free some space, or choose another place.</source>
        <translation>Die Platte ist voll, deshalb wurde nichts nach {path} geschrieben. Schaffen Sie Platz oder wählen Sie einen anderen Ort.</translation>
    </message>
    <message>
        <source>The file is larger than {megabytes} MB; more is not read.</source>
        <translation>Die Datei ist größer als {megabytes} MB; mehr wird nicht gelesen.</translation>
    </message>
    <message>
        <source>This is neither a file of chats from Inglenook nor a ChatGPT export (conversations.json, or the .zip that holds it).</source>
        <translation>Das ist weder eine Datei mit Chats aus Inglenook noch ein ChatGPT-Export (conversations.json oder die .zip, die sie enthält).</translation>
    </message>
    <message>
        <source>The file was written by a newer Inglenook (format {version}). Update this one.</source>
        <translation>Die Datei stammt von einem neueren Inglenook (Format {version}). Aktualisieren Sie dieses.</translation>
    </message>
    <message>
        <source>There is no conversations.json in this .zip file.</source>
        <translation>In dieser .zip-Datei ist keine conversations.json.</translation>
    </message>
    <message>
        <source>The .zip file is damaged. Download or copy it again.</source>
        <translation>Die .zip-Datei ist beschädigt. Laden oder kopieren Sie sie noch einmal.</translation>
    </message>
    <message>
        <source>The .zip file needs a password. Unpack it, then import the .json.</source>
        <translation>Die .zip-Datei verlangt ein Passwort. Entpacken Sie sie und importieren Sie dann die .json.</translation>
    </message>
    <message>
        <source>The .zip file unpacks to far more than chats ever do. It was not read.</source>
        <translation>Die .zip-Datei entpackt sich zu weit mehr, als Chats je ergeben. Sie wurde nicht gelesen.</translation>
    </message>
    <message>
        <source>The file holds more than {most} chats. The others were not read.</source>
        <translation>Die Datei enthält mehr als {most} Chats. Die übrigen wurden nicht gelesen.</translation>
    </message>
    <message>
        <source>The file ends in the middle. What stood before that was imported.</source>
        <translation>Die Datei bricht mittendrin ab. Was davor stand, wurde importiert.</translation>
    </message>
    <message>
        <source>it is larger than {megabytes} MB</source>
        <translation>er ist größer als {megabytes} MB</translation>
    </message>
    <message>
        <source>it is nested deeper than {most} levels</source>
        <translation>er ist tiefer als {most} Ebenen verschachtelt</translation>
    </message>
    <message>
        <source>it has more than {most} parts</source>
        <translation>er hat mehr als {most} Teile</translation>
    </message>
    <message>
        <source>it is not valid JSON ({reason})</source>
        <translation>er ist kein gültiges JSON ({reason})</translation>
    </message>
    <message>
        <source>something is of the wrong kind: {where}</source>
        <translation>etwas ist von falscher Art: {where}</translation>
    </message>
    <message>
        <source>something is missing: {where}</source>
        <translation>etwas fehlt: {where}</translation>
    </message>
    <message>
        <source>something is there twice: {where}</source>
        <translation>etwas ist doppelt da: {where}</translation>
    </message>
    <message>
        <source>a message answers one that is not there: {where}</source>
        <translation>eine Nachricht antwortet auf eine, die nicht da ist: {where}</translation>
    </message>
    <message>
        <source>its messages follow each other in a circle: {where}</source>
        <translation>seine Nachrichten folgen einander im Kreis: {where}</translation>
    </message>
    <message>
        <source>it has no messages</source>
        <translation>er hat keine Nachrichten</translation>
    </message>
    <message>
        <source>it was deleted meanwhile</source>
        <translation>er wurde inzwischen gelöscht</translation>
    </message>
    <message>
        <source>it could not be saved: {reason}</source>
        <translation>er konnte nicht gespeichert werden: {reason}</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Chat deleted</source>
        <translation>Chat gelöscht</translation>
    </message>
    <message>
        <source>“{title}” was deleted.</source>
        <translation>„{title}“ wurde gelöscht.</translation>
    </message>
    <message numerus="yes">
        <source>%n chat(s) deleted</source>
        <translation>
            <numerusform>%n Chat gelöscht</numerusform>
            <numerusform>%n Chats gelöscht</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>What is on your mind?</source>
        <translation>Was beschäftigt Sie?</translation>
    </message>
    <message>
        <source>Explain how a language model picks its next word</source>
        <translation>Erkläre, wie ein Sprachmodell sein nächstes Wort wählt</translation>
    </message>
    <message>
        <source>Write a short letter that turns an invitation down kindly</source>
        <translation>Schreibe einen kurzen Brief, der eine Einladung freundlich ablehnt</translation>
    </message>
    <message>
        <source>Give me three ideas for dinner with eggs and spinach</source>
        <translation>Nenne mir drei Ideen für ein Abendessen mit Eiern und Spinat</translation>
    </message>
    <message>
        <source>Suggestion: {text}</source>
        <translation>Vorschlag: {text}</translation>
    </message>
    <message>
        <source>{model} is ready. Nothing you write leaves this computer.</source>
        <translation>{model} ist bereit. Nichts, was Sie schreiben, verlässt diesen Rechner.</translation>
    </message>
    <message>
        <source>{model} is being loaded. Write and send already: your message waits for the model, and several chats can wait at once.</source>
        <translation>{model} wird geladen. Schreiben und senden Sie ruhig schon: Ihre Nachricht wartet auf das Modell, auch mehrere Chats können zugleich warten.</translation>
    </message>
    <message>
        <source>The engine is starting. Write and send already: your message waits for the model.</source>
        <translation>Die Engine startet. Schreiben und senden Sie ruhig schon: Ihre Nachricht wartet auf das Modell.</translation>
    </message>
    <message>
        <source>No model is loaded. Choose one with File, Load a model folder; what you send waits for it.</source>
        <translation>Kein Modell ist geladen. Wählen Sie eines mit Datei, Modellordner laden; was Sie senden, wartet darauf.</translation>
    </message>
    <message>
        <source>No model can answer now; the notice above says why and what helps. What you send waits.</source>
        <translation>Gerade kann kein Modell antworten; der Hinweis oben sagt, warum und was hilft. Was Sie senden, wartet.</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>Das Modell</translation>
    </message>
</context>
<context>
    <name>WindowBody</name>
    <message>
        <source>No chat is open. Choose one from the list, or begin a new one.</source>
        <translation>Kein Chat ist offen. Wählen Sie einen aus der Liste oder beginnen Sie einen neuen.</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
</context>
<context>
    <name>WindowCommands</name>
    <message>
        <source>About Inglenook</source>
        <translation>Über Inglenook</translation>
    </message>
    <message>
        <source>Inglenook {version}</source>
        <translation>Inglenook {version}</translation>
    </message>
    <message>
        <source>Chat with language models that run on this computer, with vLLM inside. Nothing leaves the machine unless you ask.</source>
        <translation>Chatten Sie mit Sprachmodellen, die auf diesem Rechner laufen, mit vLLM im Inneren. Nichts verlässt den Rechner, außer Sie wünschen es.</translation>
    </message>
</context>
<context>
    <name>_Candidate</name>
    <message>
        <source>Answer {number}</source>
        <translation>Antwort {number}</translation>
    </message>
    <message>
        <source>Use this answer</source>
        <translation>Diese Antwort nehmen</translation>
    </message>
    <message>
        <source>Go on with answer {number} ({number}, then Enter)</source>
        <translation>Mit Antwort {number} weiter ({number}, dann Enter)</translation>
    </message>
    <message>
        <source>Use answer {number}</source>
        <translation>Antwort {number} nehmen</translation>
    </message>
</context>
<context>
    <name>_Chip</name>
    <message>
        <source>Attached: {name}, {size}</source>
        <translation>Angehängt: {name}, {size}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
</context>
</TS>
