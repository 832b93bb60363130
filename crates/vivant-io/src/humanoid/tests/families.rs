//! A table of naming conventions: each must give all required bones, and the bones listed with it.

use super::*;

struct Family {
    name: &'static str,
    sides: [&'static str; 2],
    tree: &'static str,
    /// Bones and their nodes; for a pair, the left one is given and both are checked. `-` means missing.
    expected: &'static str,
}

#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    Family {
        name: "Mixamo", sides: ["Left", "Right"],
        tree: "mixamorig:Hips[mixamorig:Spine[mixamorig:Spine1[mixamorig:Spine2[mixamorig:Neck[mixamorig:Head[mixamorig:HeadTop_End]],*mixamorig:~Shoulder[mixamorig:~Arm[mixamorig:~ForeArm[mixamorig:~Hand[mixamorig:~HandThumb1[mixamorig:~HandThumb2[mixamorig:~HandThumb3[mixamorig:~HandThumb4[mixamorig:~HandThumb4_end_end]]]],mixamorig:~HandPinky1[mixamorig:~HandPinky2[mixamorig:~HandPinky3[mixamorig:~HandPinky4]]]]]]]]]],*mixamorig:~UpLeg[mixamorig:~Leg[mixamorig:~Foot[mixamorig:~ToeBase[mixamorig:~Toe_End]]]]]",
        expected: "hips=mixamorig:Hips spine=mixamorig:Spine chest=mixamorig:Spine1 upperChest=mixamorig:Spine2 neck=mixamorig:Neck leftShoulder=mixamorig:~Shoulder leftUpperArm=mixamorig:~Arm leftThumbMetacarpal=mixamorig:~HandThumb1 leftThumbDistal=mixamorig:~HandThumb3 leftLittleProximal=mixamorig:~HandPinky1 leftLowerLeg=mixamorig:~Leg leftToes=mixamorig:~ToeBase",
    },
    Family {
        name: "Ready Player Me", sides: ["Left", "Right"],
        tree: "Armature[Hips[Spine[Spine1[Spine2[Neck[Head[HeadTop_End,*~Eye]],*~Shoulder[~Arm[~ForeArm[~Hand[~HandIndex1[~HandIndex2[~HandIndex3[~HandIndex4]]]]]]]]]],*~UpLeg[~Leg[~Foot[~ToeBase[~Toe_End]]]]],*Eye~,Wolf3D_Head]",
        expected: "hips=Hips upperChest=Spine2 leftEye=~Eye leftIndexDistal=~HandIndex3 leftThumbMetacarpal=- head=Head",
    },
    Family {
        name: "Rocketbox", sides: ["L", "R"],
        tree: "Bip01[Bip01 Footsteps,Bip01 Pelvis[Bip01 Spine[Bip01 Spine1[Bip01 Spine2[Bip01 Neck[Bip01 Head[Bip01 HeadNub,Bip01 MJaw[Bip01 MTongue],*Bip01 ~Eye[Bip01 ~EyeNub],*Bip01 ~EyeBlinkTop],*Bip01 ~ Clavicle[Bip01 ~ UpperArm[Bip01 ~ Forearm[Bip01 ~ Hand[Bip01 ~ Finger0[Bip01 ~ Finger01[Bip01 ~ Finger02[Bip01 ~ Finger0Nub]]],Bip01 ~ Finger1[Bip01 ~ Finger11[Bip01 ~ Finger12[Bip01 ~ Finger1Nub]]],Bip01 ~ Finger4[Bip01 ~ Finger41[Bip01 ~ Finger42]]]]]]]]],*Bip01 ~ Thigh[Bip01 ~ Calf[Bip01 ~ Foot[Bip01 ~ Toe0[Bip01 ~ Toe0Nub]]]]]]]",
        expected: "hips=Bip01_Pelvis spine=Bip01_Spine upperChest=Bip01_Spine2 neck=Bip01_Neck head=Bip01_Head jaw=Bip01_MJaw leftEye=Bip01_~Eye leftShoulder=Bip01_~_Clavicle leftThumbMetacarpal=Bip01_~_Finger0 leftThumbDistal=Bip01_~_Finger02 leftIndexProximal=Bip01_~_Finger1 leftLittleDistal=Bip01_~_Finger42 leftToes=Bip01_~_Toe0",
    },
    Family {
        name: "3ds Max with underscores", sides: ["L", "R"],
        tree: "Bip001[Bip001_Pelvis[Bip001_Spine[Bip001_Spine1[Bip001_Neck[Bip001_Head,*Bip001_~_Clavicle[Bip001_~_UpperArm[Bip001_~_Forearm[Bip001_~_Hand,Bip001_~_ForeTwist]]]]]],*Bip001_~_Thigh[Bip001_~_Calf[Bip001_~_Foot]]]]",
        expected: "spine=Bip001_Spine chest=Bip001_Spine1 upperChest=- leftHand=Bip001_~_Hand",
    },
    Family {
        name: "VRoid", sides: ["L", "R"],
        tree: "Root[J_Bip_C_Hips[J_Bip_C_Spine[J_Bip_C_Chest[J_Bip_C_UpperChest[J_Bip_C_Neck[J_Bip_C_Head[*J_Adj_~_FaceEye,J_Sec_Hair1_01]],*J_Sec_~_Bust1,*J_Bip_~_Shoulder[J_Bip_~_UpperArm[J_Bip_~_LowerArm[J_Bip_~_Hand[J_Bip_~_Little1[J_Bip_~_Little2[J_Bip_~_Little3]],J_Bip_~_Thumb1[J_Bip_~_Thumb2[J_Bip_~_Thumb3]]],J_Sec_~_TopsUpperArmInside]]]]]],*J_Bip_~_UpperLeg[J_Bip_~_LowerLeg[J_Bip_~_Foot[J_Bip_~_ToeBase]]]]]",
        expected: "hips=J_Bip_C_Hips chest=J_Bip_C_Chest upperChest=J_Bip_C_UpperChest leftEye=J_Adj_~_FaceEye leftThumbProximal=J_Bip_~_Thumb2 leftToes=J_Bip_~_ToeBase",
    },
    Family {
        name: "Unreal 5", sides: ["l", "r"],
        tree: "root[pelvis[spine_01[spine_02[spine_03[spine_04[spine_05[neck_01[neck_02[head]],*clavicle_~[upperarm_~[upperarm_twist_01_~[upperarm_twist_02_~],lowerarm_~[lowerarm_twist_01_~,hand_~[thumb_01_~[thumb_02_~[thumb_03_~]],index_metacarpal_~[index_01_~[index_02_~[index_03_~]]],pinky_metacarpal_~[pinky_01_~[pinky_02_~[pinky_03_~]]]]]]]]]]]],*thigh_~[thigh_twist_01_~,calf_~[calf_twist_01_~,foot_~[ball_~]]]],ik_foot_root[*ik_foot_~],ik_hand_root[ik_hand_gun[*ik_hand_~]]]",
        expected: "hips=pelvis spine=spine_01 chest=spine_03 upperChest=spine_05 neck=neck_01 head=head leftUpperArm=upperarm_~ leftThumbMetacarpal=thumb_01_~ leftIndexProximal=index_01_~ leftIndexDistal=index_03_~ leftLowerLeg=calf_~ leftToes=ball_~",
    },
    Family {
        name: "Rigify metarig", sides: ["L", "R"],
        tree: "spine[spine.001[spine.002[spine.003[spine.004[spine.005[spine.006[face[*eye.~,jaw[chin],*ear.~]]]],*shoulder.~[upper_arm.~[forearm.~[hand.~[palm.01.~[f_index.01.~[f_index.02.~[f_index.03.~]],thumb.01.~[thumb.02.~[thumb.03.~]]],palm.04.~[f_pinky.01.~[f_pinky.02.~]]]]]],*breast.~]]],*pelvis.~,*thigh.~[shin.~[foot.~[toe.~,heel.02.~]]]]",
        expected: "hips=spine spine=spine.001 chest=spine.002 upperChest=spine.003 neck=spine.004 head=spine.006 jaw=jaw leftEye=eye.~ leftIndexProximal=f_index.01.~ leftThumbMetacarpal=thumb.01.~ leftLowerLeg=shin.~ leftToes=toe.~",
    },
    Family {
        name: "Rigify's deforming bones among its controls", sides: ["L", "R"],
        tree: "root[torso[hips,chest,head,*shoulder.~,ORG-spine[DEF-spine[DEF-spine.001[DEF-spine.002[DEF-spine.003[DEF-spine.004[DEF-spine.005[DEF-spine.006]]]]]],*DEF-pelvis.~,*ORG-thigh.~[DEF-thigh.~[DEF-thigh.~.001[DEF-shin.~[DEF-shin.~.001[DEF-foot.~[DEF-toe.~]]]]]],*ORG-shoulder.~[DEF-shoulder.~,ORG-upper_arm.~[DEF-upper_arm.~[DEF-upper_arm.~.001[DEF-forearm.~[DEF-forearm.~.001[DEF-hand.~[DEF-f_index.01.~]]]]]]]]],*hand_ik.~,*foot_ik.~]",
        expected: "spine=DEF-spine.001 neck=DEF-spine.005 head=DEF-spine.006 leftUpperArm=DEF-upper_arm.~ leftLowerArm=DEF-forearm.~ leftLowerLeg=DEF-shin.~ leftIndexProximal=DEF-f_index.01.~",
    },
    Family {
        name: "Blender's VRM add-on", sides: ["L", "R"],
        tree: "root[hips[spine[chest[neck[head[*eye.~]],*shoulder.~[upper_arm.~[lower_arm.~[hand.~[thumb.proximal.~[thumb.intermediate.~[thumb.distal.~]],index.proximal.~[index.intermediate.~[index.distal.~]]]]]]]],*upper_leg.~[lower_leg.~[foot.~[toes.~]]]]]",
        expected: "spine=spine chest=chest upperChest=- leftEye=eye.~ leftThumbMetacarpal=thumb.proximal.~ leftThumbProximal=thumb.intermediate.~ leftIndexIntermediate=index.intermediate.~",
    },
    Family {
        name: "a Rigify body with mechanical arms", sides: ["L", "R"],
        tree: "Armature[head,hair,hips[spine[chest[neck[head],*robo_shoulder.~[robo_upper_arm.~[robo_forearm.~[robo_hand.~[robo_f_index.01.~]]]],*shoulder.~[upper_arm.~[forearm.~[forearm.twist.~,hand.~[palm.01.~[f_index.01.~,thumb.01.~]]]]]]],*thigh.~[shin.~[foot.~[toe.~,heel.~]]]]]",
        expected: "leftShoulder=shoulder.~ leftUpperArm=upper_arm.~ leftLowerArm=forearm.~ leftHand=hand.~ leftIndexProximal=f_index.01.~ leftThumbMetacarpal=thumb.01.~",
    },
    Family {
        name: "CMU", sides: ["Left", "Right"],
        tree: "Hips[LHipJoint[LeftUpLeg[LeftLeg[LeftFoot[LeftToeBase]]]],RHipJoint[RightUpLeg[RightLeg[RightFoot[RightToeBase]]]],LowerBack[Spine[Spine1[Neck[Neck1[Head]],LeftShoulder[LeftArm[LeftForeArm[LeftHand[LeftFingerBase[LeftHandIndex1],LThumb]]]],RightShoulder[RightArm[RightForeArm[RightHand[RightFingerBase[RightHandIndex1],RThumb]]]]]]]]",
        expected: "spine=LowerBack chest=Spine upperChest=Spine1 neck=Neck leftUpperLeg=~UpLeg leftIndexProximal=~HandIndex1 leftIndexIntermediate=-",
    },
    Family {
        name: "Poser", sides: ["l", "r"],
        tree: "hip[abdomen[chest[neck[head[leftEye,rightEye]],*~Collar[~Shldr[~ForeArm[~Hand[~Thumb1[~Thumb2],~Mid1[~Mid2]]]]]]],*~Buttock[~Thigh[~Shin[~Foot]]]]",
        expected: "hips=hip spine=abdomen chest=chest leftShoulder=~Collar leftUpperArm=~Shldr leftMiddleIntermediate=~Mid2 leftUpperLeg=~Thigh",
    },
    Family {
        name: "Daz Genesis", sides: ["l", "r"],
        tree: "hip[pelvis[*~ThighBend[~ThighTwist[~Shin[~Foot[~Metatarsals[~Toe[~BigToe]]]]]]],abdomenLower[abdomenUpper[chestLower[chestUpper[neckLower[neckUpper[head[lowerJaw,upperTeeth,*~Eye]]],*~Collar[~ShldrBend[~ShldrTwist[~ForearmBend[~ForearmTwist[~Hand[~Carpal1[~Index1[~Index2[~Index3]]],~Thumb1[~Thumb2[~Thumb3]]]]]]]]]]]]]",
        expected: "hips=hip spine=abdomenLower chest=chestLower upperChest=chestUpper neck=neckLower jaw=lowerJaw leftUpperLeg=~ThighBend leftUpperArm=~ShldrBend leftLowerArm=~ForearmBend leftIndexDistal=~Index3 leftToes=~Toe",
    },
    Family {
        name: "Character Creator", sides: ["L", "R"],
        tree: "CC_Base_BoneRoot[CC_Base_Hip[CC_Base_Pelvis[*CC_Base_~_Thigh[CC_Base_~_ThighTwist01,CC_Base_~_Calf[CC_Base_~_Foot[CC_Base_~_ToeBase]]]],CC_Base_Waist[CC_Base_Spine01[CC_Base_Spine02[CC_Base_NeckTwist01[CC_Base_NeckTwist02[CC_Base_Head[CC_Base_FacialBone[CC_Base_JawRoot,*CC_Base_~_Eye]]]],*CC_Base_~_Clavicle[CC_Base_~_Upperarm[CC_Base_~_UpperarmTwist01,CC_Base_~_Forearm[CC_Base_~_Hand[CC_Base_~_Mid1[CC_Base_~_Mid2]]]]]]]]]]",
        expected: "hips=CC_Base_Hip spine=CC_Base_Waist upperChest=CC_Base_Spine02 neck=CC_Base_NeckTwist01 jaw=CC_Base_JawRoot leftEye=CC_Base_~_Eye leftMiddleProximal=CC_Base_~_Mid1",
    },
    Family {
        name: "Second Life", sides: ["Left", "Right"],
        tree: "mPelvis[mSpine1[mSpine2[mTorso[mSpine3[mSpine4[mChest[mNeck[mHead[mSkull,*mEye~]],*mCollar~[mShoulder~[mElbow~[mWrist~[mHandIndex1~[mHandIndex2~[mHandIndex3~]]]]]]]]]]]],*mHip~[mKnee~[mAnkle~[mFoot~[mToe~]]]]]",
        expected: "hips=mPelvis spine=mSpine1 upperChest=mChest head=mHead leftShoulder=mCollar~ leftUpperArm=mShoulder~ leftLowerArm=mElbow~ leftHand=mWrist~ leftUpperLeg=mHip~ leftFoot=mAnkle~ leftIndexProximal=mHandIndex1~",
    },
    Family {
        name: "Xsens", sides: ["Left", "Right"],
        tree: "Pelvis[L5[L3[T12[T8[Neck[Head],*~Shoulder[~UpperArm[~ForeArm[~Hand]]]]]]],*~UpperLeg[~LowerLeg[~Foot[~Toe]]]]",
        expected: "hips=Pelvis spine=L5 chest=T12 upperChest=T8 leftToes=~Toe",
    },
    Family {
        name: "MakeHuman", sides: ["L", "R"],
        tree: "root[pelvis.L[upperleg01.L[upperleg02.L[lowerleg01.L[lowerleg02.L[foot.L[toe1-1.L,toe2-1.L]]]]]],pelvis.R[upperleg01.R[upperleg02.R[lowerleg01.R[lowerleg02.R[foot.R[toe1-1.R]]]]]],spine05[spine04[spine03[spine02[spine01[neck01[neck02[neck03[head[jaw,*eye.~]]]],*clavicle.~[shoulder01.~[upperarm01.~[upperarm02.~[lowerarm01.~[lowerarm02.~[wrist.~[finger1-1.~[finger1-2.~[finger1-3.~]],metacarpal1.~[finger2-1.~[finger2-2.~[finger2-3.~]]],metacarpal4.~[finger5-1.~[finger5-2.~]],metacarpal2.~[finger3-1.~],metacarpal3.~[finger4-1.~]]]]]]]]]]]]]]",
        expected: "hips=root spine=spine05 upperChest=spine01 neck=neck01 leftUpperArm=upperarm01.~ leftLowerArm=lowerarm01.~ leftHand=wrist.~ leftThumbMetacarpal=finger1-1.~ leftIndexDistal=finger2-3.~ leftLittleProximal=finger5-1.~",
    },
    Family {
        name: "SMPL", sides: ["L", "R"],
        tree: "Pelvis[*~_Hip[~_Knee[~_Ankle[~_Foot]]],Spine1[Spine2[Spine3[Neck[Head],*~_Collar[~_Shoulder[~_Elbow[~_Wrist[~_Hand]]]]]]]]",
        expected: "leftUpperLeg=~_Hip leftFoot=~_Ankle leftToes=~_Foot leftShoulder=~_Collar leftUpperArm=~_Shoulder leftHand=~_Wrist",
    },
    Family {
        name: "Advanced Skeleton", sides: ["L", "R"],
        tree: "Root_M[Spine1_M[Spine2_M[Chest_M[Neck_M[Head_M[Jaw_M,*Eye_~]],*Scapula_~[Shoulder_~[Elbow_~[Wrist_~[MiddleFinger1_~[MiddleFinger2_~[MiddleFinger3_~[MiddleFinger4_~]]],Cup_~[PinkyFinger1_~]]]]]]]],*Hip_~[Knee_~[Ankle_~[Toes_~[ToesEnd_~]]]]]",
        expected: "hips=Root_M spine=Spine1_M upperChest=Chest_M leftUpperArm=Shoulder_~ leftMiddleProximal=MiddleFinger1_~ leftLittleProximal=PinkyFinger1_~ leftToes=Toes_~",
    },
    Family {
        name: "VRM", sides: ["left", "right"],
        tree: "hips[spine[chest[upperChest[neck[head[*~Eye,jaw]],*~Shoulder[~UpperArm[~LowerArm[~Hand[~ThumbMetacarpal[~ThumbProximal[~ThumbDistal]],~RingProximal[~RingIntermediate[~RingDistal]]]]]]]]],*~UpperLeg[~LowerLeg[~Foot[~Toes]]]]",
        expected: "upperChest=upperChest leftEye=~Eye jaw=jaw leftThumbMetacarpal=~ThumbMetacarpal leftThumbProximal=~ThumbProximal leftThumbDistal=~ThumbDistal leftRingIntermediate=~RingIntermediate",
    },
    Family {
        name: "a thumb of two bones by VRM's names", sides: ["left", "right"],
        tree: "hips[spine[head,*~UpperArm[~LowerArm[~Hand[~ThumbProximal[~ThumbDistal]]]]],*~UpperLeg[~LowerLeg[~Foot]]]",
        expected: "leftThumbMetacarpal=- leftThumbProximal=~ThumbProximal leftThumbDistal=~ThumbDistal",
    },
    Family {
        name: "plain English", sides: ["Left", "Right"],
        tree: "Armature[Hips[*~ leg[~ knee[~ ankle[~ toe[~ toe_end]]]],Spine[Chest[*~ shoulder[~ arm[~ elbow[~ wrist[IndexFinger1_~[IndexFinger2_~[IndexFinger3_~]],Thumb0_~[Thumb1_~[Thumb2_~]]]]]],Neck[Head[Head_End]]]]]]",
        expected: "leftUpperLeg=~_leg leftLowerLeg=~_knee leftFoot=~_ankle leftToes=~_toe leftHand=~_wrist leftIndexDistal=IndexFinger3_~ leftThumbMetacarpal=Thumb0_~ leftThumbDistal=Thumb2_~",
    },
    Family {
        name: "numbered joints", sides: ["L", "R"],
        tree: "Z_UP[Armature[torso_joint_1[torso_joint_2[torso_joint_3[neck_joint_1[neck_joint_2],*arm_joint_~_1[arm_joint_~_2[arm_joint_~_3]]]],*leg_joint_~_1[leg_joint_~_2[leg_joint_~_3[leg_joint_~_5]]]]]]",
        expected: "hips=torso_joint_1 spine=torso_joint_2 chest=torso_joint_3 neck=neck_joint_1 head=neck_joint_2 leftUpperArm=arm_joint_~_1 leftHand=arm_joint_~_3 leftToes=leg_joint_~_5",
    },
    Family {
        name: "a toy robot with feet on its root", sides: ["L", "R"],
        tree: "Bone[*Foot.~[Foot.~_end],Body[Hips[Abdomen[Torso[Neck[Head[Head_end]],*Shoulder.~[UpperArm.~[LowerArm.~[Palm2.~[Middle1.~[Middle2.~[Middle2.~_end]]],Thumb.~[Thumb2.~],Palm1.~[Index.~]]]]]]],*UpperLeg.~[LowerLeg.~[LowerLeg.~_end]]],*PoleTarget.~]",
        expected: "hips=Body spine=Hips chest=Abdomen upperChest=Torso leftFoot=Foot.~ leftHand=Palm2.~ leftMiddleProximal=Middle1.~",
    },
    Family {
        name: "sides in the middle and a suffix on all", sides: ["l", "r"],
        tree: "Armature_rootJoint[pelvis_Armature[tummy_Armature[chest_Armature[neck_Armature[head_Armature[*brow1.~_Armature]],*shoulder.~_Armature[upper_arm.~_Armature[lowerarm.~_Armature[hand.~_Armature[Finger.~_Armature[Finger.001.~_Armature[Finger.002.~_Armature]],thumb.1.~_Armature]]]]]],*thigh.~_Armature[shin.~_Armature[foot.~_Armature[toes.~_Armature]]]]]",
        expected: "hips=pelvis_Armature spine=tummy_Armature leftIndexProximal=Finger.~_Armature leftIndexDistal=Finger.002.~_Armature leftThumbMetacarpal=thumb.1.~_Armature",
    },
    Family {
        name: "MikuMikuDance", sides: ["左", "右"],
        tree: "全ての親[センター[上半身[上半身2[首[頭[両目,*~目]],*~肩[~腕[~腕捩,~ひじ[~手捩,~手首[~親指０[~親指１[~親指２]],~人指１[~人指２[~人指３]]]]]]]],下半身[*~足[~ひざ[~足首[~つま先]]]]],*~足ＩＫ[~つま先ＩＫ]]",
        expected: "hips=センター spine=上半身 chest=上半身2 leftUpperArm=~腕 leftHand=~手首 leftThumbMetacarpal=~親指０ leftIndexProximal=~人指１ leftEye=~目 leftFoot=~足首 leftToes=~つま先",
    },
    Family {
        name: "arms named one joint too high", sides: ["Left", "Right"],
        tree: "Hips[Spine[Neck[Head],*~Arm[~ForeArm[~Elbow[~Hand]]]],*~UpLeg[~Leg[~Foot]]]",
        expected: "leftShoulder=~Arm leftUpperArm=~ForeArm leftLowerArm=~Elbow",
    },
    Family {
        name: "all in lower case", sides: ["l", "r"],
        tree: "hips[spine[neck[head],*~shoulder[~upperarm[~forearm[~hand]]]],*~thigh[~shin[~foot]]]",
        expected: "leftShoulder=~shoulder leftUpperArm=~upperarm leftFoot=~foot",
    },
    Family {
        name: "a name of the character everywhere", sides: ["L", "R"],
        tree: "Zed_Root[Zed_Hips[Zed_Spine[Zed_Head,*Zed_~_Shoulder[Zed_~_Arm[Zed_~_Forearm[Zed_~_Hand]]]],*Zed_~_Thigh[Zed_~_Calf[Zed_~_Foot]]]]",
        expected: "spine=Zed_Spine chest=- neck=-",
    },
];

fn check(family: &Family) {
    let nodes = parse(family.tree, family.sides);
    let (map, _, scene) = find_and_check(nodes);
    let node_name = |bone| map.node(bone).map_or("-".to_owned(), |n| scene.nodes()[n].name.replace(' ', "_"));
    assert_eq!(map.missing(), [], "{}: {:?}", family.name, scene.nodes().len());
    for pair in family.expected.split(' ') {
        let (bone, node) = pair.split_once('=').expect("bone=node");
        let bone = Bone::from_name(bone).expect(bone);
        for (bone, side) in [(bone, family.sides[0]), (bone.mirrored(), family.sides[1])] {
            if bone.mirrored() != bone || side == family.sides[0] {
                assert_eq!(node_name(bone), node.replace('~', side), "{}: {}", family.name, bone.name());
            }
        }
    }
}

#[test]
fn every_naming_convention_gives_the_required_bones() {
    FAMILIES.iter().for_each(check);
}
